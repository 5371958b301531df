import 'server-only'
import { z } from 'zod'
import { sites } from '@/lib/domains/sites/shape'
import { requireSite, storeSiteCheck } from '@/lib/domains/sites/stored'
import { changed, verb } from '@/lib/edge/verb'
import {
  leftOutWords,
  listPages,
  noPagesWords,
  type PagesFound,
} from '@/lib/engines/tools/sites/list-pages'
import { type WebAccess, webBudget } from '@/lib/engines/tools/tool-resources'
import { db } from '@/lib/kernel/db'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { countOf, formatDuration } from '@/lib/words/format'

const mostWords = 2_000

/** Looks which pages of a website tools can list. `words` say how many and from where, or what is wrong and what to do. */
export const checkSite = verb({
  name: 'site.check',
  role: 'admin',
  scope: sites.scopes.write,
  summary: 'Looks which pages of a website tools can list, also when it is switched off.',
  input: z.object({ id: z.string() }),
  output: z.object({ pages: z.int(), words: z.string() }),
  transaction: 'later',
  run: async ({ ctx, change }, { id }) => {
    const site = await requireSite(db(), id)
    await change(async () => changed(undefined, { subject: site.id, after: { name: site.name } }))
    const from = performance.now()
    const signal = new AbortController().signal
    const person = ctx.actor.userId
    const found = await listPages(site, { runId: site.id, person, web: unpaidWeb(), signal })
    const ms = Math.round(performance.now() - from)
    const { pages } = found
    const [source, problem] = [sourceOf(found), problemOf(found)]
    const at = new Date().toISOString()
    await storeSiteCheck(db(), site.id, { at, pages: pages.size, source, ms, trouble: problem })
    const begin =
      source === null
        ? 'No page was found.'
        : `Found ${countOf(pages.size, 'page')} within ${formatDuration(ms)}, from ${source}.`
    return { pages: pages.size, words: [begin, problem ?? ''].join(' ').trim() }
  },
})

/** Returns the web as it may be read without a run: as much of it as one run may. */
function unpaidWeb(): WebAccess {
  let left: number = webBudget.bytes
  return {
    findHost: async () => null,
    reserve: async ({ bytes: requested }) => {
      const bytes = Math.min(requested, left)
      left -= bytes
      return requested > 0 && bytes === 0
        ? { type: 'refused', why: 'bytes' }
        : { type: 'reserved', bytes }
    },
    settle: async ({ reserved, used }) => {
      left += reserved - used
    },
  }
}

/** Returns where the pages are from; null = there are none. */
function sourceOf({ from }: PagesFound): string | null {
  switch (from.type) {
    case 'sitemaps': {
      const [first = '', ...others] = from.addresses
      const more = others.length > 0 ? ` and ${countOf(others.length, 'other sitemap')}` : ''
      return shown(`the sitemap ${first}${more}`)
    }
    case 'links':
      return 'links that begin at its start page'
    case 'nothing':
      return null
    default:
      return from satisfies never
  }
}

/** Returns what failed and what was left out, as sentences; null = nothing. */
function problemOf({ from, leftOut }: PagesFound): string | null {
  const words =
    from.type === 'nothing' ? noPagesWords(from.sitemaps, leftOut) : leftOutWords(leftOut)
  return words === '' ? null : shown(words)
}

function shown(words: string): string {
  return redactText(words, { hashes: true }).slice(0, mostWords).toWellFormed()
}
