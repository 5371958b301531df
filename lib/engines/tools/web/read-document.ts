import { redactPart, redactText } from '@/lib/kernel/redaction/redact-text'
import type { Artifact } from '@/lib/protocol/files/artifact'
import { undecodedParts } from '@/lib/protocol/files/decode-text'
import { type LeftOut, ToolError } from '@/lib/protocol/tool'
import { countOf, formatCount } from '@/lib/words/format'
import { redactedParts } from '../left-out'
import type { PageText } from './answer-question'
import { type Asker, readWeb } from './ask-web'
import { evidenceOf } from './evidence'
import { pageKind } from './page-kind'
import { readElsewhere } from './read-elsewhere'

/** `address`: where the last redirect led. `evidence`: what shows later that it was read. */
type ReadDocument = PageText & { address: string; evidence: Artifact }

/** A part of a text: so many characters from a place on. `goOn` says how to get what is behind it. */
type Part = { start?: number; most: number; goOn: (end: number) => string }

/** A part of a document as a model gets it. `end`: where it ends. */
type ShownPart = {
  title: string
  url: string
  /** `hiddenText`: what a page does not show at first; left out = the part has none. `encoding`: where it is not UTF-8. */
  texts: { text: string; hiddenText?: string; encoding?: string }
  characters: number
  end: number
  links: number | null
  leftOut: LeftOut[]
  artifacts: Artifact[]
}

/** Characters that are looked at before and after a part: a secret may begin or end there. */
const around = 8_000

/** Reads a part of the text of a web page or document, without what looks like a secret. Throws ToolError. */
export async function readPart(
  address: string,
  asker: Asker,
  { start = 0, most, goOn }: Part,
): Promise<ShownPart> {
  const from = Math.max(0, start - around)
  const whole = { start: from, most: start - from + most + around }
  const read = await readDocument(address, asker, whole)
  const { total, hiddenFrom, links, encoding, undecoded = 0 } = read
  const end = Math.max(start, Math.min(start + most, total))
  const split = Math.min(Math.max(start, hiddenFrom ?? end), end)
  const partOf = (first: number, last: number) =>
    redactPart(read.text, { start: first - from, end: last - from }).toWellFormed()
  const [text, hiddenText] = [partOf(start, split), partOf(split, end)]
  const [title, url] = [redactText(read.title, code), redactText(read.address, code)]
  const given = [read.title, read.address, read.text.slice(start - from, end - from)]
  const before = Math.min(start, total)
  return {
    title,
    url,
    characters: total,
    end,
    links,
    artifacts: [read.evidence],
    texts: {
      ...(hiddenText === '' ? { text } : { text: text.trimEnd(), hiddenText }),
      ...(encoding !== undefined && { encoding }),
    },
    leftOut: [
      ...(before > 0 ? [leftOutOf(before, total, 'this call begins behind them')] : []),
      ...(end < total ? [leftOutOf(total - end, total, goOn(end))] : []),
      ...read.leftOut,
      ...undecodedParts(undecoded, text + hiddenText),
      ...redactedParts(given, [title, url, text, hiddenText]),
    ],
  }
}

const code = { hashes: true }

function leftOutOf(some: number, total: number, why: string): LeftOut {
  return { what: `${formatCount(some)} of ${countOf(total, 'character')}`, why }
}

/** Reads a part of the text of a web page or document. Throws ToolError. */
async function readDocument(
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
