import { z } from 'zod'
import { redactPart, redactText } from '@/lib/kernel/redaction/redact-text'
import { undecodedParts } from '@/lib/protocol/decode-text'
import { defineTool } from '../define-tool'
import { readDocument } from '../web/read-document'

const mostCharacters = 50_000
/** What is looked at before and after the part: a secret may begin or end there. */
const around = 8_000

export default defineTool({
  name: 'fetch_url',
  description:
    'Reads a web page or document by its address and returns its title, final address and text: HTML as Markdown with links, PDF ' +
    'as text, JSON and other text as they are. Use it to read what an answer depends on instead of relying on memory. Only hosts ' +
    'that an admin listed can be read. A long text is cut; "next" is the "start" with which to go on. ' +
    '"encoding" names another one than UTF-8.',
  group: 'web',
  parameters: z.object({
    url: z.string().trim().min(1).max(4_000).describe('Starts with https:// or http://.'),
    start: z.int().min(0).max(20_000_000).default(0).describe('The first character to return.'),
  }),
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 30_000,
  needs: 'host',
  limits: [
    '10 MiB of content and 15 seconds a request',
    '5 redirects',
    '50,000 characters a call',
    '50 MiB and 20 hosts a run',
  ],
  example: { url: 'https://example.org/' },
  execute: async ({ url, start }, { signal, actor, runId, resources: { web } }) => {
    const from = Math.max(0, start - around)
    const part = { start: from, most: start - from + mostCharacters + around }
    const read = await readDocument(url, { runId, person: actor.userId, web, signal }, part)
    const { title, address, total, encoding, undecoded = 0, evidence } = read
    const length = Math.min(mostCharacters, Math.max(0, total - start))
    const inside = { start: start - from, end: start - from + length }
    const end = start + length
    const text = redactPart(read.text, inside).toWellFormed()
    return {
      content: {
        title: redactText(title, { hashes: true }),
        url: redactText(address, { hashes: true }),
        text,
        characters: total,
        next: end < total ? end : null,
        ...(encoding !== undefined && { encoding }),
      },
      leftOut: undecodedParts(undecoded, text),
      artifacts: [evidence],
    }
  },
})
