import { VisibleText } from '@/components/trace/visible-text'

/** A field of a change as people read it; null = this side does not have it. */
export type ShownChange = {
  field: string
  label: string
  before: string | null
  after: string | null
  /** Null = a value that the act was done with, and that it did not change. */
  changed: boolean | null
}

/** Shows what a change did, field by field. */
export function ChangeList({ changes }: { changes: readonly ShownChange[] }) {
  return (
    <dl className="divide-y rounded-md border text-sm">
      {changes.map(({ field, label, before, after, changed }) => (
        <div key={field} className="grid gap-x-3 px-2 py-1 sm:grid-cols-[12rem_1fr]">
          <dt className="text-muted [overflow-wrap:anywhere]">
            <VisibleText text={label} />
          </dt>
          <dd className="flex flex-col">
            {changed === null && <Side sign="" words="" text={after ?? before ?? ''} />}
            {changed && before !== null && <Side sign="−" words="before" text={before} />}
            {changed !== null && after !== null && (
              <Side
                sign={changed ? '+' : '='}
                words={changed ? 'after' : 'unchanged'}
                text={after}
              />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const looks: Record<string, string> = {
  '−': 'bg-error-soft text-error',
  '+': 'bg-ok-soft text-ok',
  '=': 'text-muted',
}

function Side({ sign, words, text }: { sign: string; words: string; text: string }) {
  return (
    <p
      className={`flex gap-2 whitespace-pre-wrap rounded-sm px-1 font-mono text-mono [overflow-wrap:anywhere] ${looks[sign]}`}
    >
      {sign !== '' && (
        <>
          <span aria-hidden>{sign}</span>
          <span className="sr-only">{words}: </span>
        </>
      )}
      <VisibleText text={text} />
    </p>
  )
}
