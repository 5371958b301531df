import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import type { LeftOut } from '@/lib/protocol/tool'
import { TooComplexError, type Whole } from './answer-question'
import { bodyOf, entry, textLength } from './page-body'

/** Beyond these, a page is shown whole, and then its text alone: the programs that find its form would take too long. */
const mostForArticle = 8_000
const mostElements = 30_000
const deepest = 100
/** Beyond these, not even a document is made of a page. */
const mostTags = 200_000
const deepestTags = 2_000
/** A page of which less is found to be its article is shown whole. */
const leastArticle = 500

/**
 * Returns a page as Markdown: its article where it has one, with links made absolute, then what it does not show at first. `address` is
 * what relative links start from, unless the page says otherwise.
 */
export function htmlText(html: string, address: string): Whole {
  refuseTooComplex(html)
  const page = readable(html, address)
  const { title, links, leftOut } = page
  const whole = textLength(page.body)
  const hidden = textOf(page.faded, page)
  const mayHaveArticle = page.elements <= mostForArticle
  const article = mayHaveArticle ? articleOf(page.document, whole) : null
  // Finding the article changed the page. A copy would be as large again, so the page is read anew instead.
  const body = article ?? (mayHaveArticle ? readable(html, address) : page).body
  const around = article ? whole - textLength(article) : 0
  const shown = textOf(body, page)
  const why = 'they stand outside the article of the page, which alone is returned'
  return {
    title,
    links,
    text: [shown, hidden].filter((part) => part !== '').join('\n\n'),
    hiddenFrom: hidden === '' ? null : shown.length + (shown === '' ? 0 : 2),
    leftOut: [...leftOut, ...entry(around, 'character', why)],
  }
}

/** Returns the article of a page whose text has this length; null = it has none that is worth it. */
function articleOf(document: Document, whole: number): Node | null {
  const article = new Readability<Node>(document, {
    serializer: (found) => found,
    charThreshold: leastArticle,
  }).parse()?.content
  return article && textLength(article) >= Math.max(leastArticle, whole / 4) ? article : null
}

const tag = /<(\/?)([a-z][a-z0-9-]*)/gi
/** Void elements, and elements whose end tag may be omitted: they are not counted as nesting. */
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
  body: Element
  faded: Element
  leftOut: LeftOut[]
  elements: number
  links: number | null
}

/** Returns the content of a page, its links made absolute. */
function readable(html: string, address: string): Readable {
  const { document } = parseHTML(`<html>${html}`)
  const title = oneLine(document.querySelector('title')?.textContent ?? '')
  const base = baseOf(document, address)
  const content = bodyOf(document, base)
  const roots = [content.body, content.faded]
  const elements = roots.reduce((sum, root) => sum + countElements(root), 0)
  if (elements > mostElements) return { title, document, ...content, elements, links: null }
  let links = 0
  for (const root of roots) {
    for (const link of root.querySelectorAll('a')) resolveLink(link, base)
    links += root.querySelectorAll('a[href]').length
    for (const image of root.querySelectorAll('img, picture, area, map')) {
      image.replaceWith(document.createTextNode(image.getAttribute('alt') ?? ''))
    }
  }
  return { title, document, ...content, elements, links }
}

function textOf(root: Node, { elements }: Readable): string {
  return elements > mostElements ? plainText(root) : markdownOf(root)
}

function baseOf(document: Document, address: string): string {
  const said = document.querySelector('base')?.getAttribute('href') ?? ''
  return URL.canParse(said, address) ? new URL(said, address).href : address
}

/** Returns the number of elements of a page; infinite = there are more, or more of them inside each other, than can be read. */
function countElements(root: Element): number {
  let count = 0
  let depth = 0
  let node: Element | null = root
  while (node) {
    count++
    if (count > mostElements || depth > deepest) return Number.POSITIVE_INFINITY
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

/** Returns the text alone of a page that has too much of everything. */
function plainText(root: Node): string {
  const parts: string[] = []
  let node: Node | null = root.firstChild
  while (node) {
    if (node.nodeType === 3) parts.push(node.textContent ?? '')
    if (node.firstChild) {
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
