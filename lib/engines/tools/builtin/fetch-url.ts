import { z } from 'zod'
import { defineTool } from '../define-tool'
import { readPart } from '../web/read-document'

const mostCharacters = 50_000

export default defineTool({
  name: 'fetch_url',
  description:
    'Reads a web page or document by its address and returns its title, final address and text: HTML as Markdown with links, PDF ' +
    'as text, JSON and other text as they are. Use it to read what an answer depends on instead of relying on memory. Only hosts ' +
    'that an admin listed can be read. A long text is cut; "next" is the "start" with which to go on. "hiddenText" is what a page does ' +
    'not show at first: readers may never see it. "encoding" names another one than UTF-8.',
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
    const asker = { runId, person: actor.userId, web, signal }
    const goOn = (end: number) => `go on with "start": ${end}`
    const read = await readPart(url, asker, { start, most: mostCharacters, goOn })
    const { title, texts, characters, end, leftOut, artifacts } = read
    const next = end < characters ? end : null
    return { content: { title, url: read.url, ...texts, characters, next }, leftOut, artifacts }
  },
})
