import { ToolError } from '@/lib/protocol/tool'
import { pagesOf } from '../site-access'
import { pageKind } from '../web/page-kind'
import { readLinksElsewhere } from '../web/read-elsewhere'
import type { Robots } from './robots'
import { pathOf } from './sitemap-entries'
import type { Visit } from './visit'

/** Maximum pages that are read. */
const mostCrawled = 50
/** Maximum links that may wait to be followed. */
const mostKnown = 1_000
const mostPageBytes = 2 * 1024 * 1024

/** Files that have no links and whose names say so: they are neither read nor pages. */
const noPage =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|css|m?js|json|xml|rss|atom|zip|gz|tgz|tar|bz2|xz|7z|rar|exe|dmg|iso|deb|rpm|jar|woff2?|ttf|otf|eot|mp[34]|m4[av]|ogg|wav|webm|mov|avi|mkv)$/i

/** Adds pages to what a visit found: the start page, and those that links of the site lead to, the nearest ones first, and last those with a query. */
export async function crawlSite(visit: Visit, { allows }: Robots): Promise<void> {
  const { pathname: first, origin } = new URL(visit.site.address)
  const queue = [first]
  // Calendars and sorted tables have any number of these.
  const queried: string[] = []
  const known = new Set(queue)
  let requestCount = 0
  while (requestCount < mostCrawled) {
    const path = queue.shift() ?? queried.shift()
    if (path === undefined) break
    if (!allows(path)) {
      visit.leaveOut('refused', 1)
      continue
    }
    requestCount++
    const read = await readPage(visit, origin + path)
    if (read === 'ended') break
    if (read === null) continue
    visit.leaveOut('links', read.unread)
    if (!visit.pages.has(read.path)) visit.pages.set(read.path, read.title)
    known.add(read.path)
    for (const next of read.paths) {
      const [plain = '', query] = next.split('?')
      if (known.has(next) || noPage.test(plain)) continue
      if (known.size >= mostKnown) {
        visit.leaveOut('links', 1)
        continue
      }
      known.add(next)
      if (query === undefined) queue.push(next)
      else queried.push(next)
    }
  }
  visit.leaveOut('links', queue.length + queried.length)
}

/** A page with where it really is. */
type Page = { path: string; title: string; paths: string[]; unread: number }

/** Reads one page. Null = it could not be read; `ended`: no further one can be. */
async function readPage(visit: Visit, text: string): Promise<Page | null | 'ended'> {
  const { site } = visit
  try {
    const reading = { most: mostPageBytes }
    const { address, status, content, contentType } = await visit.read(text, pagesOf(site), reading)
    if (status < 200 || status > 299) {
      throw new ToolError('status', `The host answered with status ${status}.`)
    }
    const path = pathOf(new URL(address))
    const kind = pageKind(contentType, content)
    if (!('kind' in kind) || kind.kind !== 'html') return { path, title: '', paths: [], unread: 0 }
    const found = await readLinksElsewhere(
      {
        about: 'links',
        content,
        charset: kind.charset,
        address,
        start: site.address,
        most: mostKnown,
      },
      visit.signal,
    )
    return { path, ...found }
  } catch (error) {
    const isNamed = visit.pages.size === 0
    if (!visit.failed(error, text, { isNamed })) return 'ended'
    if (!isNamed) visit.leaveOut('unread', 1)
    return null
  }
}
