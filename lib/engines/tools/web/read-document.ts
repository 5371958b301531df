import type { Artifact } from '@/lib/protocol/artifact'
import { ToolError } from '@/lib/protocol/tool'
import type { PageText } from './answer-question'
import { type Asker, readWeb } from './ask-web'
import { evidenceOf } from './evidence'
import { pageKind } from './page-kind'
import { readElsewhere } from './read-elsewhere'

/** `address`: where the last redirect led. `evidence`: what shows later that it was read. */
type ReadDocument = PageText & { address: string; evidence: Artifact }

/** Reads a part of the text of a web page or document. Throws ToolError. */
export async function readDocument(
  url: string,
  asker: Asker,
  part: { start: number; most: number },
): Promise<ReadDocument> {
  const { address, status, content, contentType } = await readWeb(url, asker)
  if (status < 200 || status > 299) {
    throw new ToolError('status', `The host answered with status ${status}. Check the address.`)
  }
  const facts = [
    ['Final address', address],
    ['Status', String(status)],
    ['Content type', contentType ?? 'none'],
  ] as const
  const evidence = evidenceOf(facts, content)
  const found = pageKind(contentType, content)
  if ('named' in found) {
    throw new ToolError(
      'not-readable',
      `This address has ${found.named}, which cannot be read as text.`,
    )
  }
  const read = await readElsewhere({ ...found, content, address, ...part }, asker.signal)
  return { ...read, address, evidence }
}
