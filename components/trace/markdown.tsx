import { type Components, type ExtraProps, toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { memo, type ReactNode, useDeferredValue } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { visibleParts } from '@/lib/protocol/clean-text'
import { fencedCode, isCheapMarkdown, markdownBlocks } from './markdown-blocks'
import { ScrollRegion } from './scroll-region'
import { markStyles, VisibleText } from './visible-text'

/** A longer answer is shown as plain text, because formatting it would block the page. */
const longestText = 100_000

type Styled = { children?: ReactNode }

// Headings start below those of the trace, so that the page's outline stays in order.
const components: Components = {
  h1: ({ children }: Styled) => (
    <h4 className="mt-4 font-semibold text-lg text-strong first:mt-0">{children}</h4>
  ),
  h2: ({ children }: Styled) => (
    <h5 className="mt-4 font-semibold text-strong first:mt-0">{children}</h5>
  ),
  h3: ({ children }: Styled) => (
    <h6 className="mt-3 font-semibold text-strong first:mt-0">{children}</h6>
  ),
  h4: ({ children }: Styled) => (
    <h6 className="mt-3 font-semibold text-normal first:mt-0">{children}</h6>
  ),
  h5: ({ children }: Styled) => (
    <h6 className="mt-3 font-semibold text-normal first:mt-0">{children}</h6>
  ),
  h6: ({ children }: Styled) => (
    <h6 className="mt-3 font-semibold text-muted first:mt-0">{children}</h6>
  ),
  p: ({ children }: Styled) => (
    <p className="my-2 whitespace-pre-line first:mt-0 last:mb-0">{children}</p>
  ),
  ul: ({ children }: Styled) => (
    <ul className="my-2 list-disc pl-5 first:mt-0 last:mb-0">{children}</ul>
  ),
  ol: ({ children, start }) => (
    <ol start={start} className="my-2 list-decimal pl-6 first:mt-0 last:mb-0">
      {children}
    </ol>
  ),
  li: ({ children }: Styled) => <li className="my-0.5">{children}</li>,
  blockquote: ({ children }: Styled) => (
    <blockquote className="my-2 border-l-2 pl-3 text-muted">{children}</blockquote>
  ),
  strong: ({ children }: Styled) => (
    <strong className="font-semibold text-strong">{children}</strong>
  ),
  a: ({ children, href }) => (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="break-words text-link underline underline-offset-2"
    >
      {children}
    </a>
  ),
  code: ({ children }: Styled) => (
    <code className="rounded-sm bg-surface-2 px-1 py-px font-mono text-mono text-strong">
      {children}
    </code>
  ),
  pre: ({ children }: Styled) => <CodeFrame>{children}</CodeFrame>,
  table: ({ children }: Styled) => (
    <ScrollRegion label="Table" className="my-2 overflow-x-auto">
      <table className="border-collapse text-sm">{children}</table>
    </ScrollRegion>
  ),
  th: ({ children, style }) => (
    <th style={style} className="border bg-surface-2 px-2 py-1 text-left font-medium">
      {children}
    </th>
  ),
  td: ({ children, style }) => (
    <td style={style} className="border px-2 py-1 align-top">
      {children}
    </td>
  ),
  hr: () => <hr className="my-4" />,
  input: ({ checked }) => <span>{checked ? '[x] ' : '[ ] '}</span>,
}

/** Shows a model's answer. Complete blocks are not rendered again while the end of the text grows. */
export function Markdown({ text }: { text: string }) {
  const shown = useDeferredValue(text)
  const blocks = shown.length > longestText ? null : markdownBlocks(shown)
  return (
    <div className="max-w-[80ch] text-normal [overflow-wrap:anywhere]">
      {!blocks && <PlainBlock text={shown} />}
      {blocks?.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only grow at the end
        <Block key={index} text={block} />
      ))}
    </div>
  )
}

const Block = memo(function Block({ text }: { text: string }) {
  return <div className="my-2 first:mt-0 last:mb-0">{formatted(text)}</div>
})

/** Raw HTML stays in the tree until `inertMarkdown` makes it text. */
const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(inertMarkdown)
  .freeze()

/** Returns the elements of a block; as plain text when it is costly, or nested so deep that the plugins throw. */
function formatted(text: string): ReactNode {
  const code = fencedCode(text)
  if (code !== null) return <Code text={code} />
  if (!isCheapMarkdown(text)) return <PlainBlock text={text} />
  try {
    const tree = processor.runSync(processor.parse(text))
    return toJsxRuntime(tree, { Fragment, jsx, jsxs, components, ignoreInvalidStyle: true })
  } catch {
    return <PlainBlock text={text} />
  }
}

function Code({ text }: { text: string }) {
  return (
    <CodeFrame>
      <code className="font-mono text-mono text-strong">
        <VisibleText text={text} />
      </code>
    </CodeFrame>
  )
}

function CodeFrame({ children }: { children: ReactNode }) {
  return (
    <ScrollRegion
      label="Code"
      className="my-2 overflow-x-auto rounded-md border bg-surface-2 p-3 [&_code]:p-0"
    >
      <pre>{children}</pre>
    </ScrollRegion>
  )
}

function PlainBlock({ text }: { text: string }) {
  return (
    <p className="whitespace-pre-wrap">
      <VisibleText text={text} />
    </p>
  )
}

type Element = NonNullable<ExtraProps['node']>
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
  if (depth > deepest) throw new RangeError('The text is nested too deeply to be formatted.')
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
