import { parseWebAddress } from '@/lib/domains/hosts/shared/web-origin'
import { isOfSite } from '@/lib/domains/sites/shared/site-address'
import { decodeAsText } from '@/lib/protocol/files/decode-text'
import { unescaped } from './unescaped'

/** `address`: where it is, for relative addresses; `start`: the start page of the site; `most`: how many entries are read. */
export type SitemapQuestion = {
  about: 'sitemap'
  content: Uint8Array<ArrayBuffer>
  charset: string | null
  address: string
  start: string
  most: number
}

/** Entries that are not used. `unread`: beyond the most; `outside`: not of the site; `broken`: no address. */
type Unused = { unread: number; outside: number; broken: number }

/** A sitemap: none, a list of other sitemaps, or one of pages. */
export type SitemapEntries =
  /** `isDeclared`: it would be one if it did not declare a document type. */
  | { type: 'none'; isDeclared: boolean }
  /** Addresses outside are not on the host of the site. */
  | ({ type: 'index'; sitemaps: string[] } & Unused)
  /** `paths`: of pages of the site with their queries, each once. */
  | ({ type: 'pages'; paths: string[]; entries: number } & Unused)

/** No address in a sitemap is longer, as its standard says. */
const mostCharacters = 2_048

/**
 * Returns what a sitemap of XML, or of lines of text, has. XML is searched for the elements of sitemaps alone, once from start to end: no
 * declaration is read and no entity is resolved, so what has any is none.
 */
export function sitemapEntries(question: SitemapQuestion): SitemapEntries {
  const { content, charset, address, start, most } = question
  const { text } = decodeAsText(content, { charset })
  const root = rootOf(text)
  const { locations, unread } = root ? locationsIn(text, root, most) : linesIn(text, most)
  if (root === null && locations.length === 0) return { type: 'none', isDeclared: isDeclared(text) }
  const isIndex = root?.isIndex ?? false
  const site = new URL(start)
  const found = new Set<string>()
  let [outside, broken] = [0, 0]
  for (const location of locations) {
    const url = addressOf(location, address)
    if (!url) broken++
    else if (isIndex ? url.origin !== site.origin : !isOfSite(site, url)) outside++
    else found.add(isIndex ? url.href : pathOf(url))
  }
  const unused = { unread, outside, broken }
  if (isIndex) return { type: 'index', sitemaps: [...found], ...unused }
  return { type: 'pages', paths: [...found], entries: locations.length, ...unused }
}

/** Returns the path of a page with its query: pages may differ by that alone. */
export function pathOf({ pathname, search }: URL): string {
  return pathname + search
}

function addressOf(text: string | null, base: string): URL | null {
  if (text === null || text === '' || /\s/.test(text) || !URL.canParse(text, base)) return null
  const parsed = parseWebAddress(new URL(text, base).href)
  return 'url' in parsed ? parsed.url : null
}

function isDeclared(text: string): boolean {
  return (
    /^[^<]*<!doctype\s/i.test(text.slice(0, 10_000)) &&
    /<(?:[\w.-]{1,50}:)?(?:urlset|sitemapindex)[\s>]/.test(text)
  )
}

/** Returns the lines of a text that begins with an address; none of another text. */
function linesIn(text: string, most: number): Locations {
  const locations: string[] = []
  let unread = 0
  if (!/^\s{0,100}https?:\/\//i.test(text)) return { locations, unread }
  for (let at = 0; at < text.length; ) {
    const end = endAfter(text, '\n', at)
    const line = end - at > mostCharacters + 10 ? 'too long' : text.slice(at, end).trim()
    at = end
    if (line === '') continue
    if (locations.length < most) locations.push(line)
    else unread++
  }
  return { locations, unread }
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

/** Texts in the places of addresses; null = none that an address may be. */
type Locations = { locations: (string | null)[]; unread: number }

/** Returns what stands in the elements for addresses, at most so many of them. */
function locationsIn(xml: string, { prefix, at: from }: Root, most: number): Locations {
  const name = `<${prefix}loc`
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
    if (!xml.startsWith(name, at) || !/[\s/>]/.test(xml.charAt(at + name.length))) {
      at++
      continue
    }
    const start = endAfter(xml, '>', at)
    const isEmpty = xml.startsWith('/', start - 2)
    const [text, after] = isEmpty ? ['', start] : textAt(xml, start)
    at = after
    if (locations.length < most) locations.push(text)
    else unread++
  }
  return { locations, unread }
}

/** Others than these have to be declared. */
const unknownEntity = /&(?!(?:amp|lt|gt|quot|apos);)[a-z_][\w.-]{0,50};/i
const cdata = '<![CDATA['

/** Returns the text of an element whose content begins at a place, and where it ends; null = it is too long, or needs a declaration. */
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
  if (!isData && unknownEntity.test(text)) return [null, end]
  return [(isData ? text : unescaped(text)).trim(), end]
}
