import type { ExtraProps } from 'hast-util-to-jsx-runtime'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { visibleParts } from '@/lib/words/clean-text'
import { markStyles } from './visible-text'

/** Raw HTML stays in the tree until `inertMarkdown` makes it text. */
export const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(inertMarkdown)
  .freeze()

/** Parses Markdown. A list of one item without words stays the text that it is: "391." is an answer, no list. */
export function parseMarkdown(source: string): MarkdownTree {
  const tree = processor.parse(source)
  keepLoneMarkers(tree, source)
  return tree
}

type Parent = { children: MarkdownTree['children'] }

function keepLoneMarkers(parent: Parent, source: string): void {
  parent.children = parent.children.map((child) => {
    if (child.type !== 'list') {
      if (child.type === 'blockquote') keepLoneMarkers(child, source)
      return child
    }
    const { children: items, position } = child
    for (const item of items) keepLoneMarkers(item, source)
    if (items.length > 1 || items[0]?.children.length !== 0 || !position) return child
    const value = source.slice(position.start.offset, position.end.offset).trim()
    return { type: 'paragraph', children: [{ type: 'text', value }], position }
  })
}

/** Markdown as the parser reads it. */
export type MarkdownTree = ReturnType<typeof processor.parse>
type List = Extract<MarkdownTree['children'][number], { type: 'list' }>
export type ListItem = List['children'][number]

export function elementChildren(node: unknown): Element[] {
  const { children = [] } = Object(node) as Partial<Element>
  return children.filter((child) => child.type === 'element')
}

/** An element of HTML, before React. */
export type Element = NonNullable<ExtraProps['node']>
type Child = Element['children'][number]

/** The deepest nesting that is rendered. A hostile answer must not exhaust the stack of the server or the browser. */
const deepest = 40
const kept = new Set(['align', 'checked', 'href', 'start'])
const protocols = new Set(['http:', 'https:', 'mailto:'])

/**
 * Returns a rehype plugin that leaves only what may be shown (SPEC J5). Raw HTML becomes text, images become words,
 * links keep http, https and mailto and show their address, attributes that could style or identify are removed, and
 * invisible characters become visible. Throws when the text nests too deep; the caller then shows it as plain text.
 */
function inertMarkdown() {
  return (root: Element) => {
    root.children = inertChildren(root, 0)
  }
}

function inertChildren(parent: Element, depth: number): Child[] {
  if (depth > deepest) throw new RangeError('Nested too deeply to be formatted.')
  return parent.children.flatMap((child) => inert(child, depth))
}

function inert(node: Child, depth: number): Child[] {
  if (node.type === 'text') return visible(node.value)
  if (node.type === 'element') return [inertElement(node, depth)]
  return 'value' in node && node.type !== 'comment' ? visible(String(node.value)) : []
}

function inertElement(node: Element, depth: number): Element {
  if (node.tagName === 'img') return span(visible(imageWords(node)))
  const children = inertChildren(node, depth + 1)
  const properties = Object.fromEntries(
    Object.entries(node.properties).filter(([name]) => kept.has(name)),
  )
  if (node.tagName !== 'a') return { ...node, properties, children }
  const target = String(node.properties.href ?? '')
  const href = safeUrl(target)
  const shown = href ?? target
  const suffix = target.startsWith('#') || wordsOf(node) === shown ? [] : visible(` (${shown})`)
  const content = [...children, ...suffix]
  return href === null ? span(content) : { ...node, properties: { href }, children: content }
}

/** Accepts only complete addresses, so that "#", "/admin" or "javascript:" never become links of this site. */
function safeUrl(target: string): string | null {
  if (!URL.canParse(target)) return null
  const url = new URL(target)
  return protocols.has(url.protocol) ? url.href : null
}

function imageWords(node: Element): string {
  const { alt, src } = node.properties
  return `[image${alt ? `: ${alt}` : ''} (${src ?? 'no address'})]`
}

function wordsOf(node: Element): string {
  return node.children.map((child) => (child.type === 'text' ? child.value : '')).join('')
}

function visible(text: string): Child[] {
  return visibleParts(text).map((part) =>
    part.type === 'text'
      ? { type: 'text', value: part.text }
      : {
          type: 'element',
          tagName: 'span',
          properties: { className: [markStyles], title: part.name },
          children: [{ type: 'text', value: part.label }],
        },
  )
}

function span(children: Child[]): Element {
  return { type: 'element', tagName: 'span', properties: {}, children: children.filter(isInline) }
}

function isInline(child: Child): child is Element['children'][number] {
  return child.type === 'text' || child.type === 'element'
}
