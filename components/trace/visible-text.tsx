import { visibleParts } from '@/lib/words/clean-text'

/** The style of characters that are shown by name, also in Markdown. */
export const markStyles =
  'mx-px rounded-sm border border-warning/50 bg-warning-soft px-0.5 font-mono text-warning text-xs not-italic'

/**
 * Shows text from a model, a tool or a stranger as plain text, with every invisible or direction-changing character
 * visible.
 */
export function VisibleText({ text }: { text: string }) {
  let at = 0
  return (
    <bdi>
      {visibleParts(text).map((part) => {
        const key = at
        at += 1
        if (part.type === 'text') return part.text
        return (
          <span key={key} className={markStyles} title={part.name}>
            {part.label}
          </span>
        )
      })}
    </bdi>
  )
}
