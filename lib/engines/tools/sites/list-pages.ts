import { decodeAsText } from '@/lib/protocol/decode-text'
import { ToolError } from '@/lib/protocol/tool'
import { hostOf } from '../site-access'
import type { UsableSite } from '../site-resources'
import { charsetOf } from '../web/page-kind'
import { crawlSite } from './crawl-site'
import { readSitemaps } from './read-sitemaps'
import { parseRobots, type Robots } from './robots'
import { type SiteAsker, Visit } from './visit'

/** How long the sitemaps, and then the links, of a site may take. */
const longestVisitMs = 20_000
const mostRobotsBytes = 1024 * 1024

/** The pages of a site. `from`: the sitemaps that have them, or the links that were followed. */
export type PagesFound = {
  /** Their titles by path; "" = it is not known. */
  pages: ReadonlyMap<string, string>
  from: { type: 'sitemaps'; addresses: string[] } | { type: 'links' } | { type: 'nothing' }
  /** What was left out, and what failed, as words. */
  leftOut: string[]
  trouble: string[]
}

/**
 * Returns the pages of a site: those of its sitemaps, or where there are none, those that its links lead to. Throws only what ended
 * the run: what failed is told in words.
 */
export async function listPages(
  site: UsableSite,
  asker: SiteAsker,
  { wholeMs = longestVisitMs } = {},
): Promise<PagesFound> {
  const visit = new Visit(site, asker, wholeMs)
  const { origin } = new URL(site.address)
  const robots = site.sitemap === null || site.crawl ? await readRobots(visit) : null
  const named = site.sitemap === null ? (robots?.sitemaps ?? []) : [site.sitemap]
  let addresses = await readSitemaps(visit, named.filter(isOn(origin)))
  if (visit.pages.size === 0 && site.sitemap === null) {
    addresses = await readSitemaps(visit, [`${origin}/sitemap.xml`], { isGuess: true })
  }
  if (visit.pages.size > 0) return foundBy(visit, { type: 'sitemaps', addresses })
  if (!robots || !site.crawl) return foundBy(visit, { type: 'nothing' })
  const crawl = visit.again()
  await crawlSite(crawl, robots)
  return foundBy(crawl, { type: crawl.pages.size > 0 ? 'links' : 'nothing' })
}

function isOn(origin: string) {
  return (address: string) => URL.canParse(address) && new URL(address).origin === origin
}

function foundBy({ pages, leftOut, trouble }: Visit, from: PagesFound['from']): PagesFound {
  return { pages, from, leftOut, trouble: [...new Set(trouble)] }
}

/** Returns what robots.txt says, which is nothing where there is none; null = it cannot be read, so no link may be followed. */
async function readRobots(visit: Visit): Promise<Robots | null> {
  const address = `${new URL(visit.site.address).origin}/robots.txt`
  try {
    const { status, content, contentType } = await visit.read(address, hostOf(visit.site), {
      most: mostRobotsBytes,
    })
    if (status >= 200 && status < 300) {
      return parseRobots(decodeAsText(content, { charset: charsetOf(contentType) }).text)
    }
    if (status >= 400 && status < 500) return parseRobots('')
    throw new ToolError('status', `The host answered with status ${status}.`)
  } catch (error) {
    visit.failed(error, address)
    return null
  }
}
