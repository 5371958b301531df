import { WordDiff } from '@/components/nouns/word-diff'
import { diffWordsQuickly } from '@/lib/words/diff-lines'

/** Shows both answers beside each other, with the words marked that the other one does not have. */
export function ComparedAnswers({ answers }: { answers: { before: string; after: string } }) {
  const { before, after } = answers
  if (before === '' && after === '') return <p>No answers.</p>
  if (before === after) return <p>The answers are identical.</p>
  const parts = diffWordsQuickly(before, after)
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Answer label="Answer before" isEmpty={before === ''}>
        <WordDiff parts={parts} side="before" />
      </Answer>
      <Answer label="Answer after" isEmpty={after === ''}>
        <WordDiff parts={parts} side="after" />
      </Answer>
    </div>
  )
}

function Answer({
  label,
  isEmpty,
  children,
}: {
  label: string
  isEmpty: boolean
  children: React.ReactNode
}) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      className="max-h-[60vh] min-w-0 overflow-auto rounded-md border bg-surface-1 p-3"
    >
      <h3 className="pb-1 text-muted text-sm">{label}</h3>
      {isEmpty ? <p className="text-muted">No answer.</p> : children}
    </section>
  )
}
