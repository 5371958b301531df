import { z } from 'zod'
import { defineTool } from '../define-tool'
import { pageSchema, pagesOf, requireSiteOf } from '../site-access'
import { readPart } from '../web/read-document'

const mostCharacters = 8_000

export default defineTool({
  name: 'get_page_content',
  description:
    'Reads a page of a registered website by its address and returns its title, its text (HTML as Markdown with links) and how many ' +
    'links it has. Use it for pages that get_page_tree listed. Only pages of sites that you may use can be read. A longer text is ' +
    'cut. "hiddenText" is what a page does not show at first: readers may never see it.',
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
    const goOn = () => 'a call returns no more'
    const read = await readPart(url, asker, { most: mostCharacters, goOn })
    const { title, texts, characters, links, leftOut, artifacts } = read
    const content = { site: site.name, url: read.url, title, ...texts, characters, links }
    return { content, leftOut, artifacts }
  },
})
