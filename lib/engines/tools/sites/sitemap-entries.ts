import { decodeAsText } from '@/lib/protocol/decode-text'
import { isOfSite } from '@/lib/protocol/site-address'
import { parseWebAddress } from '@/lib/protocol/web-origin'
import { unescaped } from './unescaped'

/** `start`: the start page of the site. `most`: how many entries are read. */
export type SitemapQuestion = {
  about: 'sitemap'
  content: Uint8Array<ArrayBuffer>
  charset: string | null
  start: string
  most: number
}

/** What a sitemap is: none, a list of other sitemaps, or one of pages. `unread`: the entries beyond the most. */
export type SitemapEntries =
  | { type: 'none' }
  /** `outside`: how many of them are not on the host of the site. */
  | { type: 'index'; sitemaps: string[]; outside: number; unread: number }
  /** `paths`: of pages of the site, each once; `outside`: how many addresses are not of the site. */
  | { type: 'pages'; paths: string[]; outside: number; entries: number; unread: number }

/** No address in a sitemap is longer, as its standard says. */
const mostCharacters = 2_048

/**
 * Returns what an XML sitemap has. It is searched for the elements of sitemaps alone, once from start to end: no declaration is
 * read and no entity is resolved, so what has any is none.
 */
export function sitemapEntries({ content, charset, start, most }: SitemapQuestion): SitemapEntries {
  const { text: xml } = decodeAsText(content, { charset })
  const root = rootOf(xml)
  if (root === null) return { type: 'none' }
  const { locations, unread } = locationsIn(xml, root, most)
  const site = new URL(start)
  const belongs = root.isIndex
    ? (url: URL) => url.origin === site.origin
    : (url: URL) => isOfSite(site, url)
  const found = new Set<string>()
  let outside = 0
  for (const text of locations) {
    const url = addressOf(text)
    if (url && belongs(url)) found.add(root.isIndex ? url.href : url.pathname)
    else outside++
  }
  if (root.isIndex) return { type: 'index', sitemaps: [...found], outside, unread }
  return { type: 'pages', paths: [...found], outside, entries: locations.length, unread }
}

function addressOf(text: string | null): URL | null {
  const parsed = text === null ? null : parseWebAddress(text)
  return parsed && 'url' in parsed ? parsed.url : null
}

type Root = { isIndex: boolean; prefix: string; at: number }

/** Returns the root of a sitemap, and where it begins; null = the text is none, or has a declaration of a document type. */
function rootOf(xml: string): Root | null {
  let at = 0
  for (;;) {
    at = xml.indexOf('<', at)
    if (at === -1) return null
    const end = endOfAside(xml, at)
    if (end === null) break
    at = end
  }
  const name = /<((?:[\w.-]{1,50}:)?)(urlset|sitemapindex)[\s>]/y
  name.lastIndex = at
  const [, prefix = '', kind] = name.exec(xml) ?? []
  return kind === undefined ? null : { isIndex: kind === 'sitemapindex', prefix, at }
}

/** Returns where a comment or an instruction ends that begins at a place; null = none begins there. */
function endOfAside(xml: string, at: number): number | null {
  if (xml.startsWith('<!--', at)) return endAfter(xml, '-->', at + 4)
  return xml.startsWith('<?', at) ? endAfter(xml, '?>', at + 2) : null
}

function endAfter(text: string, sign: string, from: number): number {
  const found = text.indexOf(sign, from)
  return found === -1 ? text.length : found + sign.length
}

/** Returns what stands in the elements for addresses, at most so many of them; null = more characters than an address may have. */
function locationsIn(xml: string, { prefix, at: from }: Root, most: number) {
  const begin = `<${prefix}loc>`
  const locations: (string | null)[] = []
  let unread = 0
  let at = from
  while (at < xml.length) {
    at = xml.indexOf('<', at)
    if (at === -1) break
    const end = endOfAside(xml, at)
    if (end !== null) {
      at = end
      continue
    }
    if (!xml.startsWith(begin, at)) {
      at++
      continue
    }
    const [text, after] = textAt(xml, at + begin.length)
    at = after
    if (locations.length < most) locations.push(text)
    else unread++
  }
  return { locations, unread }
}

const cdata = '<![CDATA['

/** Returns the text of an element whose content begins at a place, and where it ends; null = it is too long. */
function textAt(xml: string, from: number): [string | null, number] {
  const gap = /\s{0,100}/y
  gap.lastIndex = from
  const start = from + (gap.exec(xml)?.[0].length ?? 0)
  const isData = xml.startsWith(cdata, start)
  const begin = isData ? start + cdata.length : from
  const found = xml.indexOf(isData ? ']]>' : '<', begin)
  const end = found === -1 ? xml.length : found
  if (end - begin > mostCharacters) return [null, end]
  const text = xml.slice(begin, end)
  return [(isData ? text : unescaped(text)).trim(), end]
}
