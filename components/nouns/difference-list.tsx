import { DiffView } from '@/components/nouns/diff-view'
import { VisibleText } from '@/components/trace/visible-text'
import { diffLinesQuickly } from '@/lib/words/diff-lines'

/** A difference of one field. `text` is long and compared line by line. */
type ShownDifference = { field: string; label: string } & (
  | { type: 'value' | 'text'; before: string; after: string }
  | { type: 'list'; before: readonly string[]; after: readonly string[] }
)

type Words = {
  sides?: [string, string]
  /** Returns what an empty list of a field means. */
  emptyWords: (field: string) => string
}

/** Shows what differs between two things by field, and of long text by line. `sides` names the two. */
export function DifferenceList({
  differences,
  sides = ['Before', 'After'],
  emptyWords,
}: Words & { differences: readonly ShownDifference[] }) {
  return (
    <dl className="flex flex-col divide-y rounded-md border bg-surface-1">
      {differences.map((each) => (
        <div
          key={each.field}
          className="grid gap-x-4 gap-y-1 p-3 md:grid-cols-[12rem_minmax(0,1fr)]"
        >
          <dt className="font-medium text-strong">{each.label}</dt>
          <dd className="min-w-0">
            <Difference difference={each} sides={sides} emptyWords={emptyWords} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Difference({
  difference,
  sides: [old, now],
  emptyWords,
}: Required<Words> & { difference: ShownDifference }) {
  switch (difference.type) {
    case 'text': {
      const { label, before, after } = difference
      return <DiffView parts={diffLinesQuickly(before, after)} label={`Changes in: ${label}`} />
    }
    case 'list':
      return <ListDifference {...difference} emptyWords={emptyWords} />
    case 'value':
      return (
        <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
          <Side mark="−" word={old} text={difference.before} tone="bg-error-soft" />
          <Side mark="+" word={now} text={difference.after} tone="bg-ok-soft" />
        </div>
      )
    default:
      return difference satisfies never
  }
}

function Side({
  mark,
  word,
  text,
  tone,
}: {
  mark: string
  word: string
  text: string
  tone: string
}) {
  return (
    <p className={`flex min-w-0 gap-2 rounded-sm px-2 py-1 ${tone}`}>
      <span aria-hidden>{mark}</span>
      <span className="min-w-0 whitespace-pre-wrap text-strong [overflow-wrap:anywhere]">
        <span className="sr-only">{word}: </span>
        <VisibleText text={text} />
      </span>
    </p>
  )
}

/** Shows every entry of the newer list in its order, then the removed ones. */
function ListDifference({
  field,
  before,
  after,
  emptyWords,
}: Extract<ShownDifference, { type: 'list' }> & Pick<Words, 'emptyWords'>) {
  const gone = before.filter((entry) => !after.includes(entry))
  const reordered = gone.length === 0 && before.length === after.length
  return (
    <ul className="flex flex-col gap-1">
      {after.map((entry) => (
        <li key={entry}>
          {before.includes(entry) ? (
            <span className="block px-2 text-muted [overflow-wrap:anywhere]">
              <VisibleText text={entry} />
            </span>
          ) : (
            <Side mark="+" word="added" text={entry} tone="bg-ok-soft" />
          )}
        </li>
      ))}
      {gone.map((entry) => (
        <li key={entry}>
          <Side mark="−" word="removed" text={entry} tone="bg-error-soft" />
        </li>
      ))}
      {reordered && (
        <li className="px-2 text-muted text-sm">
          The order changed. It was: <VisibleText text={before.join(', ')} />
        </li>
      )}
      {after.length === 0 && <li className="px-2 text-muted text-sm">Now: {emptyWords(field)}.</li>}
    </ul>
  )
}
