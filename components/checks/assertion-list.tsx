import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { type PillState, StatePill } from '@/components/ui/state-pill'
import type { Assertion, JudgedAssertion, JudgeVerdict } from '@/lib/protocol/check/assertion'
import { assertionText } from '@/lib/protocol/check/check-words'
import { countOf, formatCount } from '@/lib/words/format'

/** Shows the assertions of a check, to read. */
export function AssertionList({ assertions }: { assertions: readonly Assertion[] }) {
  return (
    <ol aria-label="Assertions" className="divide-y rounded-md border bg-surface-1">
      {keyed(assertions, (assertion) => assertion).map(({ key, item }) => (
        <li key={key} className="px-3 py-2 [overflow-wrap:anywhere]">
          <VisibleText text={assertionText(item)} />
        </li>
      ))}
    </ol>
  )
}

type JudgedProps = {
  judged: readonly JudgedAssertion[]
  /** Ids of the runs of judges that exist and that the reader may open. */
  visible: ReadonlySet<string>
}

/** Shows the assertions of a check after a run, each with whether it passed and what happened. */
export function JudgedAssertions({ judged, visible }: JudgedProps) {
  const failed = judged.filter(
    ({ passed, judge }) => !passed && judge?.verdict !== 'not-asked',
  ).length
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted text-sm">{summary(judged.length, failed)}</p>
      {judged.length > 0 && (
        <ol aria-label="Assertions" className="divide-y rounded-md border bg-surface-1">
          {keyed(judged, ({ assertion }) => assertion).map(({ key, item }) => (
            <JudgedRow key={key} judged={item} visible={visible} />
          ))}
        </ol>
      )}
    </div>
  )
}

function JudgedRow({
  judged: { assertion, passed, sentence, judge },
  visible,
}: Pick<JudgedProps, 'visible'> & { judged: JudgedAssertion }) {
  const { state, word } = judge
    ? judgeLooks[judge.verdict]
    : judgeLooks[passed ? 'passed' : 'failed']
  const runId = judge?.runId ?? null
  return (
    <li className="flex flex-col gap-1 px-3 py-2 sm:grid sm:grid-cols-[6rem_minmax(0,1fr)] sm:items-baseline sm:gap-x-3">
      <span>
        <StatePill state={state}>{word}</StatePill>
      </span>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="text-strong">
          <VisibleText text={assertionText(assertion)} />
        </p>
        <p className="text-muted text-sm">
          <VisibleText text={sentence} />{' '}
          {runId !== null && visible.has(runId) && (
            <Link href={`/runs/${runId}`} className="text-link hover:underline">
              Run of the judge
            </Link>
          )}
        </p>
      </div>
    </li>
  )
}

const judgeLooks: Record<JudgeVerdict, { state: PillState; word: string }> = {
  passed: { state: 'ok', word: 'Passed' },
  failed: { state: 'error', word: 'Failed' },
  'not-judged': { state: 'error', word: 'Not judged' },
  'not-asked': { state: 'off', word: 'Not asked' },
}

function summary(count: number, failed: number): string {
  if (count === 0) return 'No assertion was judged.'
  if (failed === 0)
    return count === 1 ? 'The assertion passed.' : `All ${formatCount(count)} assertions passed.`
  return `${formatCount(failed)} of ${countOf(count, 'assertion')} failed.`
}

/** Returns items with keys. A check may have the same assertion twice. */
function keyed<T>(items: readonly T[], assertionIn: (item: T) => Assertion) {
  const seen = new Map<string, number>()
  return items.map((item) => {
    const text = JSON.stringify(assertionIn(item))
    const count = seen.get(text) ?? 0
    seen.set(text, count + 1)
    return { key: `${text} ${count}`, item }
  })
}
