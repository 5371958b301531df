import { VisibleText } from '@/components/trace/visible-text'
import { cn } from '@/components/ui/cn'
import type { DiffPart } from '@/lib/words/diff-lines'

/** The side of a difference: the text before, with what goes, or the text after, with what comes. */
type Side = 'before' | 'after'

const kept: Record<Side, DiffPart['type']> = { before: 'removed', after: 'added' }
const styles: Record<Side, string> = {
  before: 'bg-error-soft line-through decoration-1',
  after: 'bg-ok-soft underline decoration-1 underline-offset-2',
}
const spoken: Record<Side, string> = { before: 'only before: ', after: 'only after: ' }

/** Shows one side of a difference between two texts, with the words marked that the other side does not have. */
export function WordDiff({ parts, side }: { parts: readonly DiffPart[]; side: Side }) {
  const shown = parts
    .map((part, at) => ({ ...part, at }))
    .filter(({ type }) => type === 'same' || type === kept[side])
  return (
    <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
      {shown.map(({ type, value, at }) =>
        type === 'same' ? (
          <VisibleText key={at} text={value} />
        ) : (
          <mark key={at} className={cn('rounded-sm text-strong', styles[side])}>
            <span className="sr-only">{spoken[side]}</span>
            <VisibleText text={value} />
          </mark>
        ),
      )}
    </p>
  )
}
