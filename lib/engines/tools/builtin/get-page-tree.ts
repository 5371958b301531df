import { z } from 'zod'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { ToolError } from '@/lib/protocol/tool'
import { defineTool } from '../define-tool'
import { redactedParts } from '../left-out'
import { requireSite, siteSchema } from '../site-access'
import { listPages, noPagesWords } from '../sites/list-pages'
import { pageTree } from '../sites/page-tree'

const mostEntries = 200
const mostName = 100
const code = { hashes: true }

export default defineTool({
  name: 'get_page_tree',
  description:
    'Lists the pages of a registered website as a tree of paths, with titles where they are known: from its sitemap, or where there is ' +
    'none, from its links. Use it to find pages before you read them with get_page_content. "more" counts pages below an entry ' +
    'that are not shown.',
  group: 'site',
  parameters: z.object({
    site: siteSchema(),
    depth: z.int().min(1).max(5).default(3).describe('How many levels below the start page.'),
  }),
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 60_000,
  needs: 'site',
  limits: [
    `5 levels and ${mostEntries} entries`,
    '20 sitemaps beside the first, 50,000 entries and 10 MiB of each',
    'without a sitemap 50 pages of 2 MiB',
    '20 seconds for sitemaps and 20 seconds for links',
    '50 MiB and 20 hosts a run',
  ],
  example: { site: 'docs', depth: 3 },
  execute: async ({ site: name, depth }, { signal, actor, runId, resources }) => {
    const site = await requireSite(resources, name)
    const { web } = resources
    const asker = { runId, person: actor.userId, web, signal }
    const { pages, from, leftOut } = await listPages(site, asker)
    if (from.type === 'nothing') {
      const words = redactText(noPagesWords(from.sitemaps, leftOut), code)
      throw new ToolError('no-pages', `No page of this site was found. ${words}`)
    }
    const start = new URL(site.address)
    const { tree, shown, ...found } = pageTree(start, pages, { depth, most: mostEntries })
    const missing = leftOut.map(({ what, why }) => ({
      what: redactText(what, code).slice(0, mostName).toWellFormed(),
      why: redactText(why, code),
    }))
    return {
      content: {
        site: site.name,
        host: start.origin,
        from: from.type,
        pages: pages.size,
        shown,
        tree,
      },
      leftOut: [...found.leftOut, ...missing, ...redactedParts([...pages], tree)],
    }
  },
})
