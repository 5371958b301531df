import { parseWebAddress } from '@/lib/domains/hosts/shared/web-origin'
import { isOfSite } from '@/lib/domains/sites/shared/site-address'
import { decodeAsText } from '@/lib/protocol/files/decode-text'
import { pathOf } from './sitemap-entries'
import { unescaped } from './unescaped'

/** `address`: where the page is; `start`: the start page of its site; `most`: how many paths are wanted. */
export type PageLinksQuestion = {
  about: 'links'
  content: Uint8Array<ArrayBuffer>
  charset: string | null
  address: string
  start: string
  most: number
}

/**
 * `title`: with its line breaks, without which a secret on several lines would not be recognised; `paths`: of the pages of the site
 * that it links to with their queries, each once; `unread`: the links beyond the most.
 */
export type PageLinks = { title: string; paths: string[]; unread: number }

/** Further links of a page are counted and not looked at. */
const mostLinks = 20_000
const mostTitle = 1_000

/** Returns the title and the links of a page, which is searched once from start to end. Links that ask not to be followed are no links. */
export function pageLinks(question: PageLinksQuestion): PageLinks {
  const { content, charset } = question
  const { text: html } = decodeAsText(content, { charset, isHtml: true })
  const found = tagsOf(html)
  const title = unescaped(found.title).trim().slice(0, mostTitle).toWellFormed()
  if (found.isClosed) return { title, paths: [], unread: 0 }
  const base = URL.canParse(found.base, question.address)
    ? new URL(found.base, question.address).href
    : question.address
  const site = new URL(question.start)
  const paths = new Set<string>()
  let { unread } = found
  for (const link of found.links) {
    const path = pathOfLink(link, base, site)
    if (path === null || paths.has(path)) continue
    if (paths.size < question.most) paths.add(path)
    else unread++
  }
  return { title, paths: [...paths], unread }
}

/** Returns the path of a link with its query; null = it leads out of the site. */
function pathOfLink(link: string, base: string, site: URL): string | null {
  if (!URL.canParse(link, base)) return null
  const parsed = parseWebAddress(new URL(link, base).href)
  return 'url' in parsed && isOfSite(site, parsed.url) ? pathOf(parsed.url) : null
}

/** Title, base and links in the tags of a page. `isClosed`: the page asks robots not to follow its links. */
type Tags = { title: string; base: string; links: string[]; unread: number; isClosed: boolean }

/** Elements whose content is no page. */
const skipped = new Set(['script', 'style', 'textarea', 'noscript', 'template', 'svg'])

function tagsOf(html: string): Tags {
  const tags: Tags = { title: '', base: '', links: [], unread: 0, isClosed: false }
  const begin = /<(?:(!--)|([a-z][a-z0-9]*)(?=[\s/>]))/gi
  for (let match = begin.exec(html); match; match = begin.exec(html)) {
    const [, comment, name = ''] = match
    const element = name.toLowerCase()
    if (comment !== undefined) {
      begin.lastIndex = endOf(html, '-->', begin.lastIndex)
    } else if (skipped.has(element)) {
      begin.lastIndex = closeOf(html, element, begin.lastIndex)
    } else if (element === 'title' && tags.title === '') {
      tags.title = titleAt(html, begin.lastIndex)
    } else if (noted.has(element)) {
      const { attributes, end } = attributesAt(html, begin.lastIndex)
      begin.lastIndex = end
      note(element, attributes, tags)
    }
  }
  return tags
}

const noted = new Set(['a', 'area', 'base', 'meta'])

function note(element: string, attributes: ReadonlyMap<string, string>, tags: Tags): void {
  const words = (name: string) => (attributes.get(name) ?? '').toLowerCase().split(/[\s,]+/)
  if (element === 'meta') {
    if (!words('name').includes('robots')) return
    if (words('content').some((word) => word === 'nofollow' || word === 'none'))
      tags.isClosed = true
    return
  }
  const href = attributes.get('href')
  if (href === undefined) return
  if (element === 'base') {
    if (tags.base === '') tags.base = href
    return
  }
  if (words('rel').includes('nofollow')) return
  if (tags.links.length < mostLinks) tags.links.push(href)
  else tags.unread++
}

function endOf(html: string, sign: string, from: number): number {
  const found = html.indexOf(sign, from)
  return found === -1 ? html.length : found + sign.length
}

/** Returns where an element ends that began before a place. */
function closeOf(html: string, element: string, from: number): number {
  const close = new RegExp(`</${element}`, 'gi')
  close.lastIndex = from
  return close.test(html) ? close.lastIndex : html.length
}

function titleAt(html: string, from: number): string {
  const start = endOf(html, '>', from)
  const end = html.indexOf('<', start)
  return html.slice(start, end === -1 ? html.length : end).slice(0, mostTitle * 5)
}

const mostAttributes = 100
const mostHref = 4_000

/** Returns the attributes of a tag, each with the value that it has first, and where the tag ends. */
function attributesAt(html: string, from: number) {
  const attribute = /[\s/]*([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/y
  const attributes = new Map<string, string>()
  let end = from
  for (let count = 0; count < mostAttributes; count++) {
    attribute.lastIndex = end
    const match = attribute.exec(html)
    if (!match) break
    end = attribute.lastIndex
    const [, name = '', double, single, plain] = match
    const value = (double ?? single ?? plain ?? '').slice(0, mostHref)
    const key = name.slice(0, 20).toLowerCase()
    if (!attributes.has(key)) attributes.set(key, unescaped(value).trim())
  }
  return { attributes, end }
}
