import { decodeAsText } from '@/lib/protocol/files/decode-text'
import { type LeftOut, ToolError } from '@/lib/protocol/tool'
import { hostOf } from '../site-access'
import type { UsableSite } from '../site-resources'
import { charsetOf } from '../web/page-kind'
import { crawlSite } from './crawl-site'
import { isMissing, readSitemaps } from './read-sitemaps'
import { parseRobots, type Robots } from './robots'
import { type SiteAsker, Visit } from './visit'

/** Time limit for the sitemaps of a site, and again for its links. */
const longestVisitMs = 20_000
const mostRobotsBytes = 1024 * 1024

/** The pages of a site. `from`: the sitemaps that were read, or the links that were followed; with `nothing`, none has a page of it. */
export type PagesFound = {
  /** Their titles by path with its query; "" = it is not known. */
  pages: ReadonlyMap<string, string>
  from:
    | { type: 'sitemaps'; addresses: string[] }
    | { type: 'links' }
    | { type: 'nothing'; sitemaps: string[] }
  /** Parts that are missing, also because of failures. */
  leftOut: LeftOut[]
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
  const usable = named.flatMap((address) => addressOn(origin, address))
  visit.leaveOut('elsewhere', named.length - usable.length)
  const addresses = await readSitemaps(visit, usable)
  for (const name of site.sitemap === null ? usualNames : []) {
    const { failures } = visit
    if (visit.pages.size > 0) break
    addresses.push(...(await readSitemaps(visit, [`${origin}/${name}`], { isGuess: true })))
    // A host that cannot be asked is not asked for more.
    if (visit.failures > failures) break
  }
  const { pages, sitemaps } = visit
  if (pages.size > 0)
    return { pages, from: { type: 'sitemaps', addresses }, leftOut: visit.leftOut }
  const mayCrawl = robots !== null && site.crawl
  const crawl = mayCrawl ? visit.again() : visit
  if (mayCrawl) await crawlSite(crawl, robots)
  const { leftOut } = crawl
  if (crawl.pages.size > 0) return { pages: crawl.pages, from: { type: 'links' }, leftOut }
  return { pages, from: { type: 'nothing', sitemaps }, leftOut }
}

/** Usual places of a sitemap, for sites that name none. */
const usualNames = ['sitemap.xml', 'sitemap.txt']

/** Returns an address, which robots.txt may give by its path, if it is on a host. */
function addressOn(origin: string, address: string): string[] {
  const url = URL.canParse(address, origin) ? new URL(address, origin) : null
  return url?.origin === origin ? [url.href] : []
}

/** Returns why no page of a site was found, as sentences. */
export function noPagesWords(sitemaps: readonly string[], leftOut: readonly LeftOut[]): string {
  if (sitemaps.length === 0 && leftOut.length === 0) {
    return 'It has no sitemap, and its links are not followed.'
  }
  const read = sitemaps.map((address) => `The sitemap ${address} has no page of the site.`)
  return [...read, leftOutWords(leftOut)].join(' ').trim()
}

/** Returns what is missing of the pages of a site as sentences; "" = nothing. */
export function leftOutWords(leftOut: readonly LeftOut[]): string {
  return leftOut.map(({ what, why }) => `${what}: ${why}.`).join(' ')
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
    if (isMissing(status)) return parseRobots('')
    const refused = new ToolError('status', `The host answered with status ${status}.`)
    // It may name a sitemap. What refuses it forbids no links, but says to come later with 429.
    if (status < 400 || status > 499 || status === 429) throw refused
    visit.failed(refused, address)
    return parseRobots('')
  } catch (error) {
    visit.failed(error, address)
    return null
  }
}
