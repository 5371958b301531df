import { z } from 'zod'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { undecodedParts } from '@/lib/protocol/decode-text'
import { defineTool } from '../define-tool'
import { pageSchema, pagesOf, requireSiteOf } from '../site-access'
import { readDocument } from '../web/read-document'

const mostCharacters = 8_000
/** What is read beyond that, so that a secret at the end is whole when it is hidden. */
const further = 8_000

export default defineTool({
  name: 'get_page_content',
  description:
    'Reads a page of a registered website by its address and returns its title, its text (HTML as Markdown with links) and how many ' +
    'links it has. Use it for pages that get_page_tree listed. Only pages of sites that you may use can be read. A longer text is ' +
    'cut, and "isCut" says so.',
  group: 'site',
  parameters: z.object({ url: pageSchema() }),
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 30_000,
  needs: 'site',
  limits: [
    '8,000 characters',
    '10 MiB of content and 15 seconds',
    '5 redirects, within the site',
    '50 MiB and 20 hosts a run',
  ],
  example: { url: 'https://example.org/docs/' },
  execute: async ({ url }, { signal, actor, runId, resources }) => {
    const site = await requireSiteOf(resources, url)
    const asker = { runId, person: actor.userId, web: resources.web, signal, reach: pagesOf(site) }
    const read = await readDocument(url, asker, { start: 0, most: mostCharacters + further })
    const { title, address, links, total, encoding, undecoded = 0, evidence } = read
    const whole = redactText(read.text, { hashes: true })
    const text = whole.slice(0, mostCharacters).toWellFormed()
    return {
      content: {
        ...{ site: site.name, url: redactText(address, { hashes: true }) },
        title: redactText(title, { hashes: true }),
        ...{ text, characters: total, links },
        isCut: whole.length > mostCharacters || total > mostCharacters + further,
        ...(encoding !== undefined && { encoding }),
      },
      leftOut: undecodedParts(undecoded, text),
      artifacts: [evidence],
    }
  },
})
