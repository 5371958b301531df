import type { Components } from 'hast-util-to-jsx-runtime'
import type { ReactNode } from 'react'
import { ScrollRegion } from './scroll-region'

type Styled = { children?: ReactNode }

export function Paragraph({ children }: Styled) {
  return <p className="my-2 whitespace-pre-line first:mt-0 last:mb-0">{children}</p>
}

export function BulletList({ children }: Styled) {
  return <ul className="my-2 list-disc pl-5 first:mt-0 last:mb-0">{children}</ul>
}

export function OrderedList({ children, start }: Styled & { start?: number }) {
  return (
    <ol start={start} className="my-2 list-decimal pl-6 first:mt-0 last:mb-0">
      {children}
    </ol>
  )
}

export function ItemFrame({ children }: Styled) {
  return <li className="my-0.5">{children}</li>
}

export function TableFrame({ children }: Styled) {
  return (
    <ScrollRegion label="Table" className="my-2 overflow-x-auto">
      <table className="border-collapse text-sm">{children}</table>
    </ScrollRegion>
  )
}

// Headings start below those of the trace, so that the page's outline stays in order.
export const components: Components = {
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
  p: Paragraph,
  ul: BulletList,
  ol: OrderedList,
  li: ItemFrame,
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
  table: TableFrame,
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

export function CodeFrame({ children }: { children: ReactNode }) {
  return (
    <ScrollRegion
      label="Code"
      className="my-2 overflow-x-auto rounded-md border bg-surface-2 p-3 [&_code]:p-0"
    >
      <pre>{children}</pre>
    </ScrollRegion>
  )
}
