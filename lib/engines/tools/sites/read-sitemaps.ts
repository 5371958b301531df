import { ToolError } from '@/lib/protocol/tool'
import { hostOf } from '../site-access'
import { mostBytes } from '../web/ask-web'
import { charsetOf } from '../web/page-kind'
import { readSitemapElsewhere } from '../web/read-elsewhere'
import type { SitemapEntries } from './sitemap-entries'
import type { Visit } from './visit'

/** Maximum entries of all sitemaps of a site together. */
const mostEntries = 50_000
/** Maximum sitemaps that are read because another one names them. */
const mostNamed = 20

/**
 * Adds the pages of sitemaps to what a visit found, also of those that they name, one step deeper. Returns the addresses of those
 * that have pages. `isGuess`: nobody said that there is one, so it is no failure when there is none.
 */
export async function readSitemaps(
  visit: Visit,
  addresses: readonly string[],
  { isGuess = false } = {},
): Promise<string[]> {
  const seen = new Set<string>()
  const queue = addresses.map((address) => ({ address, isNamed: false }))
  const from: string[] = []
  let [entries, named] = [0, 0]
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { address, isNamed } = next
    if (seen.has(address)) continue
    seen.add(address)
    if ((isNamed && ++named > mostNamed) || entries >= mostEntries) {
      visit.leaveOut('sitemaps', 1)
      continue
    }
    const found = await readOne(visit, address, { most: mostEntries - entries, isGuess })
    if (found === 'ended') break
    if (found.type === 'none') continue
    visit.sitemaps.push(address)
    visit.leaveOut('outside', found.outside)
    visit.leaveOut('broken', found.broken)
    if (found.type === 'index') {
      visit.leaveOut('sitemaps', found.unread)
      if (isNamed) visit.leaveOut('sitemaps', found.sitemaps.length)
      else queue.push(...found.sitemaps.map((each) => ({ address: each, isNamed: true })))
      continue
    }
    visit.leaveOut('entries', found.unread)
    entries += found.entries
    for (const path of found.paths) if (!visit.pages.has(path)) visit.pages.set(path, '')
    if (found.paths.length > 0) from.push(address)
  }
  // Reports the sitemaps that the time limit or a budget left unread.
  visit.leaveOut('sitemaps', queue.filter(({ address }) => !seen.has(address)).length)
  return from
}

type Asked = { most: number; isGuess: boolean }

/** Reads one sitemap. `ended`: no further one can be read. */
async function readOne(
  visit: Visit,
  address: string,
  { most, isGuess }: Asked,
): Promise<SitemapEntries | 'ended'> {
  const { site } = visit
  try {
    const answer = await visit.read(address, hostOf(site), { most: mostBytes, unpacks: true })
    const { status, content, contentType } = answer
    if (isGuess && isMissing(status)) return none
    if (status < 200 || status > 299) {
      throw new ToolError('status', `The host answered with status ${status}.`)
    }
    const charset = charsetOf(contentType)
    const question = { about: 'sitemap', content, charset, address: answer.address, most } as const
    const found = await readSitemapElsewhere({ ...question, start: site.address }, visit.signal)
    if (found.type !== 'none' || (isGuess && !found.isDeclared)) return found
    throw new ToolError('no-sitemap', found.isDeclared ? declared : 'It is no sitemap.')
  } catch (error) {
    return visit.failed(error, address) ? none : 'ended'
  }
}

const none = { type: 'none', isDeclared: false } as const
const declared = 'It is no sitemap: declarations of a document type are not read.'

/** Returns whether a status says that there is nothing, and not only that it is refused. */
export function isMissing(status: number): boolean {
  return status === 404 || status === 410
}
