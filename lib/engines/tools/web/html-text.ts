import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import { TooComplexError, type Whole } from './answer-question'

/** Beyond these, a page is shown whole, and then its text alone: the programs that find its form would take too long. */
const mostForArticle = 8_000
const mostElements = 30_000
const deepest = 100
/** Beyond these, not even a document is made of a page. */
const mostTags = 200_000
const deepestTags = 2_000
/** A page of which less is found to be its article is shown whole. */
const leastArticle = 500

/** What nobody sees on a page, what only scripts read, and what asks for something. */
const unread =
  'title, script, style, noscript, template, head > link, iframe, frame, object, embed, applet, svg, math, canvas, audio, video, ' +
  'form, input, button, select, textarea, dialog:not([open]), [hidden], [aria-hidden="true"]'

const invisible =
  /(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$|!)|font-size\s*:\s*0(?:\.0+)?(?:px|em|rem|pt|%)?\s*(?:;|$|!))/i

/**
 * Returns a page as Markdown: its article where it has one, with links made absolute, and without scripts, forms and text
 * that nobody sees. `address` is what relative links start from, unless the page says otherwise.
 */
export function htmlText(html: string, address: string): Whole {
  refuseTooComplex(html)
  const page = readable(html, address)
  const { title, links } = page
  if (typeof page.body === 'string') return { title, text: page.body, links }
  if (page.elements > mostForArticle) return { title, text: markdownOf(page.body), links }
  const whole = lengthOf(page.body)
  // Finding the article changes the page. A copy would be as large again, so the page is read anew instead.
  const article = new Readability<Node>(page.document, {
    serializer: (found) => found,
    charThreshold: leastArticle,
  }).parse()?.content
  const isWorthIt = article && lengthOf(article) >= Math.max(leastArticle, whole / 4)
  const body = isWorthIt ? article : readable(html, address).body
  return { title, text: typeof body === 'string' ? body : markdownOf(body), links }
}

const tag = /<(\/?)([a-z][a-z0-9-]*)/gi
/** Elements that need no end. */
const endless = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dt dd td th tr thead tbody tfoot option'.split(
    ' ',
  ),
)

/** Throws TooComplexError for a page of which no document can be made in time, by its tags alone. */
function refuseTooComplex(html: string): void {
  let [count, depth] = [0, 0]
  for (const [, isEnd, name = ''] of html.matchAll(tag)) {
    count++
    if (!endless.has(name.toLowerCase())) depth = Math.max(0, depth + (isEnd ? -1 : 1))
    if (count > mostTags || depth > deepestTags) throw new TooComplexError()
  }
}

type Readable = {
  title: string
  document: Document
  body: Element | string
  elements: number
  links: number | null
}

/** Returns a page without what nobody reads, its links made absolute; of one that has too much, its text alone. */
function readable(html: string, address: string): Readable {
  const { document } = parseHTML(/<html[\s>]/i.test(html.slice(0, 10_000)) ? html : `<html>${html}`)
  const title = oneLine(document.querySelector('title')?.textContent ?? '')
  const root = document.querySelector('body') ?? document.documentElement
  const elements = countElements(root)
  if (elements === null) {
    return { title, document, body: plainText(root), elements: 0, links: null }
  }
  const base = baseOf(document, address)
  for (const each of document.querySelectorAll(unread)) each.remove()
  for (const each of document.querySelectorAll('[style]')) {
    if (invisible.test(each.getAttribute('style') ?? '')) each.remove()
  }
  for (const link of document.querySelectorAll('a')) resolveLink(link, base)
  const links = document.querySelectorAll('a[href]').length
  for (const image of document.querySelectorAll('img, picture, area, map')) {
    image.replaceWith(document.createTextNode(image.getAttribute('alt') ?? ''))
  }
  return { title, document, body: root, elements, links }
}

function lengthOf({ textContent }: Node): number {
  return textContent?.trim().length ?? 0
}

function baseOf(document: Document, address: string): string {
  const said = document.querySelector('base')?.getAttribute('href') ?? ''
  return URL.canParse(said, address) ? new URL(said, address).href : address
}

/** Returns the number of elements of a page; null = there are more, or more of them inside each other, than can be read. */
function countElements(root: Element): number | null {
  let count = 0
  let depth = 0
  let node: Element | null = root
  while (node) {
    count++
    if (count > mostElements || depth > deepest) return null
    if (node.firstElementChild) {
      node = node.firstElementChild
      depth++
      continue
    }
    while (node && node !== root && !node.nextElementSibling) {
      node = node.parentElement
      depth--
    }
    node = !node || node === root ? null : node.nextElementSibling
  }
  return count
}

/** Text that a page has in elements of these is not for reading. */
const skipped = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'FORM', 'IFRAME'])

/** Returns the text alone of a page that has too much of everything. */
function plainText(root: Element): string {
  const parts: string[] = []
  let node: Node | null = root.firstChild
  while (node) {
    if (node.nodeType === 3) parts.push(node.textContent ?? '')
    if (node.firstChild && !skipped.has(node.nodeName.toUpperCase())) {
      node = node.firstChild
      continue
    }
    while (node && node !== root && !node.nextSibling) node = node.parentNode
    node = !node || node === root ? null : node.nextSibling
  }
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n')
}

function resolveLink(link: Element, base: string): void {
  const href = link.getAttribute('href')
  for (const { name } of [...link.attributes]) link.removeAttribute(name)
  if (href === null || !URL.canParse(href.trim(), base)) return
  const url = new URL(href.trim(), base)
  if (/^(https?|mailto):$/.test(url.protocol)) link.setAttribute('href', url.href)
}

function markdownOf(content: Node): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  })
  addTables(service)
  const page = parseHTML('<div></div>').document.createElement('div')
  page.append(content)
  // It would copy the page first, which nobody needs afterwards.
  page.cloneNode = () => page
  return service
    .turndown(page)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Writes tables with a line a row: Markdown knows no others. */
function addTables(service: TurndownService): void {
  service.addRule('cell', {
    filter: ['th', 'td'],
    replacement: (content) =>
      ` ${content
        .trim()
        .replace(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|')} |`,
  })
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, row) => {
      const isFirst = row.parentNode?.parentNode?.querySelector('tr') === row
      const cells = row.children.length
      return `\n|${content}${isFirst ? `\n|${' --- |'.repeat(cells)}` : ''}`
    },
  })
  service.addRule('rows', {
    filter: ['thead', 'tbody', 'tfoot'],
    replacement: (content) => content,
  })
  service.addRule('table', {
    filter: 'table',
    replacement: (content) => `\n\n${content.trim()}\n\n`,
  })
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300).toWellFormed()
}
