import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { memo, type ReactNode, useDeferredValue } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { inertMarkdown } from './inert-markdown'
import { fencedCode, isCheapMarkdown, markdownBlocks } from './markdown-blocks'
import { ScrollRegion } from './scroll-region'
import { VisibleText } from './visible-text'

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
