import { VisibleText } from './visible-text'

/** Shows an identifier, an address or a path: text in the mono font that may break anywhere. */
export function CodeText({ text }: { text: string }) {
  return (
    <code className="font-mono text-mono [overflow-wrap:anywhere]">
      <VisibleText text={text} />
    </code>
  )
}
