import type { LeftOut } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'

/** The content of a page. `faded`: what it does not show at first; `leftOut`: what neither of them has. */
type PageBody = { body: Element; faded: Element; leftOut: LeftOut[] }

/** A page with less text, or less than a tenth of what stands on it, says what else may have text. */
const littleText = 200
const mostAddresses = 5
/** Each place is looked for and what stands behind it, so that more of them would take too long. */
const mostPlaces = 1_000
const mostBehind = 5_000

const isOneOf = (names: string) => {
  const all = new Set(names.split(' '))
  return (element: Element) => all.has(nameOf(element))
}
/** Elements without text, or with text that only programs read. */
const isOfPrograms = isOneOf('title script style noscript template link meta base svg audio video')
const isControl = isOneOf('input button select textarea datalist')
const isFrame = isOneOf('iframe frame')
const isEmbedded = isOneOf('iframe frame canvas object embed applet')
const isPicture = isOneOf('img canvas object embed')
const isFormula = isOneOf('math')
/** Elements that programs which find the article of a page drop, with all that is in them. */
const isContainer = isOneOf('form fieldset template')
const isFrameOfPage = isOneOf('html head body')
/** Elements beside the body that are no content. */
const isOfHead = isOneOf('title meta link base')

const number = String.raw`([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)`
const unseen =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?<![-\w])font\s*:\s*0[\s/]|content-visibility\s*:\s*hidden/i
const fontSize = new RegExp(String.raw`font-size\s*:\s*${number}([a-z]*)`, 'gi')
/** As a property, or in a filter. */
const opacity = new RegExp(String.raw`(?<![-\w])opacity\s*[:(]\s*(?:calc\(\s*)?${number}(%?)`, 'gi')
const scale = new RegExp(String.raw`(?<![-\w])scale(?:3d|x|y)?\s*[:(]\s*${number}(%?)`, 'gi')
/** Text with less than a tenth of its colour or size is invisible. */
const leastSeen = 0.1

/**
 * Returns the content of a page without what only programs read, without controls of forms, and without text that the page hides.
 * `base`: what its addresses start from.
 */
export function bodyOf(document: Document, base: string): PageBody {
  const { body, isShown } = framedBody(document)
  const missing = placeStreamedParts(body)
  const sources = sourcesOf(document, body)
  takeOut(body, (element) => isOfPrograms(element) && !isShadow(element))
  const hidden = takeOut(body, isHidden)
  const controls = takeOut(body, isControl)
  takeOut(body, isEmbedded)
  for (const formula of outermost(body, isFormula)) {
    formula.replaceWith(document.createTextNode(formulaText(formula)))
  }
  const faded = takeFaded(document, body, isShown)
  for (const root of [body, faded]) asBlocks(document, root)
  const leftOut = [
    ...entry(missing, 'part of the page', 'JavaScript adds it, which is not run'),
    ...entry(hidden, 'character', 'the page hides them: display:none, aria-hidden or the like'),
    ...entry(controls, 'character', 'they stand on buttons, in lists and in fields of forms'),
  ]
  const shown = textLength(body) + textLength(faded)
  if (shown < Math.max(littleText, (shown + hidden + controls) / 10)) {
    leftOut.push(...nameSources(document, body, sources, base))
  }
  return { body, faded, leftOut }
}

/** Returns the entry for so many things that are left out; none for 0. */
export function entry(count: number, one: string, why: string): LeftOut[] {
  const many = one.replace(/^\w+/, (noun) => `${noun}s`)
  return count > 0 ? [{ what: countOf(count, one, many), why }] : []
}

/**
 * Makes one body of all that a page has as content: its tags may be left out, and text may stand beside them. `isShown`: the page does
 * not hide all of it.
 */
function framedBody(document: Document): { body: Element; isShown: boolean } {
  const root = document.documentElement
  const body = document.createElement('body')
  let isShown = true
  const gather = (from: Element) => {
    isShown &&= concealment(from) === null
    for (const node of [...from.childNodes]) {
      if (node.nodeType !== 1) body.append(node)
      else if (isFrameOfPage(node as Element)) gather(node as Element)
      else if (!isOfHead(node as Element)) body.append(node)
    }
  }
  gather(root)
  root.replaceChildren(root.querySelector('head') ?? document.createElement('head'), body)
  return { body, isShown }
}

/**
 * Puts the parts that a page of React streams to their places, instead of what is shown while they load, and returns how many never
 * came. A part is a hidden element `S:n`, its place a template `B:n`, or `P:n` inside of a part. Other hidden elements stay.
 */
function placeStreamedParts(body: Element): number {
  const places: [number: string, place: Element][] = []
  const parts = new Map<string, Element>()
  for (const element of elementsOf(body)) {
    const [, kind, number = ''] = /^([BPS]):([\da-f]{1,8})$/.exec(element.id) ?? []
    if (kind === 'S' && element.closest('[hidden]')) parts.set(number, element)
    else if (kind && nameOf(element) === 'template') places.push([number, element])
  }
  for (const [number, place] of places.slice(0, mostPlaces)) {
    const part = parts.get(number)
    // A part that has its own place would never end.
    if (!part || part.contains(place) || !body.contains(place)) continue
    parts.delete(number)
    for (const node of fallbackAt(place)) node.parentNode?.removeChild(node)
    while (part.firstChild) place.before(part.firstChild)
    place.remove()
  }
  return places.filter(([, place]) => place.id.startsWith('B') && body.contains(place)).length
}

/** Returns what stands behind a place up to the comment that ends it; nothing where there is no such comment. */
function fallbackAt(place: Element): Node[] {
  const nodes: Node[] = []
  let depth = 0
  for (let node = place.nextSibling; node; node = node.nextSibling) {
    const comment = node.nodeType === 8 ? (node.textContent ?? '') : ''
    if (comment === '/$' && depth-- === 0) return nodes
    if (comment.startsWith('$')) depth++
    if (nodes.push(node) > mostBehind) break
  }
  return []
}

type Concealment = 'hidden' | 'faded' | null

/** Returns how a page keeps an element from its readers: for good, or `faded`, until it is scrolled to or a script is done. */
function concealment(element: Element): Concealment {
  const isClosed = nameOf(element) === 'dialog' && !element.hasAttribute('open')
  if (isClosed || element.hasAttribute('hidden')) return 'hidden'
  const style = element.getAttribute('style')
  if (!style) return null
  // A style may have megabytes, and is asked about several times.
  const known = byStyle.get(element)
  if (known !== undefined) return known
  const found = concealedBy(plainStyle(style))
  byStyle.set(element, found)
  return found
}

function concealedBy(style: string): Concealment {
  const isSmall = (size: number, unit: string) =>
    size < leastSeen || (/^p[tx]$/i.test(unit) && size <= 1)
  const isFaint = (part: number, unit: string) => part / (unit === '%' ? 100 : 1) < leastSeen
  const has = (pattern: RegExp, is: (size: number, unit: string) => boolean) =>
    [...style.matchAll(pattern)].some(([, size, unit = '']) => is(Number(size), unit))
  if (unseen.test(style) || has(fontSize, isSmall)) return 'hidden'
  return has(opacity, isFaint) || has(scale, isFaint) ? 'faded' : null
}

/** Returns a style without comments and escapes, which may stand within its words. */
function plainStyle(style: string): string {
  return style
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
    .replace(/\\(?:([\da-f]{1,6})\s?|([^\n]))/gi, (_, code: string | undefined, sign = '') =>
      code === undefined
        ? sign
        : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0xff_ff)),
    )
}

const byStyle = new WeakMap<Element, Concealment>()

function isHidden(element: Element): boolean {
  return concealment(element) === 'hidden' || element.getAttribute('aria-hidden') === 'true'
}

/** Takes out what the page does not show at first, as a block for each. */
function takeFaded(document: Document, body: Element, isShown: boolean): Element {
  const faded = document.createElement('div')
  const isFaded = (element: Element) => concealment(element) === 'faded'
  for (const node of isShown ? outermost(body, isFaded) : [...body.childNodes]) {
    const block = document.createElement('div')
    block.append(node)
    faded.append(block)
  }
  return faded
}

/** Makes plain blocks of the elements of these kinds. */
function asBlocks(document: Document, root: Element): void {
  for (const container of [...elementsOf(root)].filter(isContainer)) {
    const block = document.createElement('div')
    moveAll(container, block)
    container.replaceWith(block)
  }
}

/** Things of a page that may have text beside its own. `addresses`: of its frames, and of the page that it leads to by itself. */
type Sources = { scripts: number; images: number; addresses: string[] }

function sourcesOf(document: Document, body: Element): Sources {
  const seen = [...elementsOf(body, (element) => isInert(element) || isHidden(element))]
  const next = [...document.querySelectorAll('meta[http-equiv]')].flatMap(refreshAddress)
  return {
    scripts: seen.filter(isScript).length,
    images: seen.filter(isPicture).length,
    addresses: [...next, ...seen.filter(isFrame).map((frame) => frame.getAttribute('src') ?? '')],
  }
}

/** Returns the address to which a page leads by itself, where an element says so. */
function refreshAddress(meta: Element): string[] {
  const isRefresh = meta.getAttribute('http-equiv')?.toLowerCase() === 'refresh'
  const content = meta.getAttribute('content') ?? ''
  const [, address] = /^[\s\d.]*[;,]\s*url\s*=\s*["']?([^"']+)/i.exec(content) ?? []
  return isRefresh && address !== undefined && !meta.closest('noscript') ? [address.trim()] : []
}

/** Names what else may have text of a page, and adds links to the pages that it leads to or shows. */
function nameSources(
  document: Document,
  body: Element,
  { scripts, images, addresses }: Sources,
  base: string,
): LeftOut[] {
  const links = addresses.filter((address) => address !== '' && URL.canParse(address, base))
  for (const address of links.slice(0, mostAddresses)) {
    const { href } = new URL(address, base)
    const [block, link] = [document.createElement('p'), document.createElement('a')]
    link.setAttribute('href', href)
    link.append(document.createTextNode(href))
    block.append(link)
    body.append(block)
  }
  return [
    ...entry(scripts, 'script', 'JavaScript is not run, and the page has little text without it'),
    ...entry(images, 'image', 'text in images is not read'),
    ...entry(
      links.length,
      'page',
      'the page leads there or has it in a frame; the text ends with its address',
    ),
  ]
}

function isScript(element: Element): boolean {
  const type = element.getAttribute('type') ?? ''
  return (
    nameOf(element) === 'script' &&
    /^(?:|module|(?:text|application)\/(?:java|ecma)script)$/i.test(type)
  )
}

/** Returns whether nobody sees an element where scripts are run, and no script of it is run. */
function isInert(element: Element): boolean {
  return nameOf(element) === 'noscript' || (nameOf(element) === 'template' && !isShadow(element))
}

/** Returns whether an element has what is shown in place of the one around it. */
function isShadow(element: Element): boolean {
  return element.hasAttribute('shadowrootmode')
}

/** Returns a formula as its author wrote it, or else its signs. */
function formulaText(formula: Element): string {
  const tex = formula.querySelector('annotation[encoding="application/x-tex"]')
  return formula.getAttribute('alttext') ?? (tex ?? formula).textContent ?? ''
}

function takeOut(body: Element, test: (element: Element) => boolean): number {
  let size = 0
  for (const element of outermost(body, test)) {
    size += textLength(element)
    element.remove()
  }
  return size
}

/** Returns the elements of a kind that are inside of no other one of it. */
function outermost(root: Element, test: (element: Element) => boolean): Element[] {
  const all: Element[] = []
  for (const _ of elementsOf(root, (element) => test(element) && all.push(element) > 0));
  return all
}

/** Yields the elements below one, in their order, without those that are skipped and all that is in them. */
function* elementsOf(root: Element, skips?: (element: Element) => boolean): Generator<Element> {
  let node = root.firstElementChild
  while (node) {
    const isSkipped = skips?.(node) ?? false
    if (!isSkipped) yield node
    if (!isSkipped && node.firstElementChild) {
      node = node.firstElementChild
      continue
    }
    while (node && node !== root && !node.nextElementSibling) node = node.parentElement
    node = !node || node === root ? null : node.nextElementSibling
  }
}

function moveAll(from: Element, to: Element): void {
  while (from.firstChild) to.append(from.firstChild)
}

function nameOf(element: Element): string {
  return element.localName.toLowerCase()
}

/** Returns how long the text of an element is as readers see it. */
export function textLength({ textContent }: Node): number {
  return textContent?.replace(/\s+/g, ' ').trim().length ?? 0
}
