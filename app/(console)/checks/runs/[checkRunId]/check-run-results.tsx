import type { Earlier } from '@toolgate/server/runs/checks/read-for-pages'
import type { CheckResult, CheckRunDetail } from '@toolgate/server/runs/checks/schemas'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { JudgedAssertions } from '@/components/checks/assertion-list'
import { VerdictPill } from '@/components/checks/verdict-pill'
import { Disclosure } from '@/components/trace/disclosure'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Cost } from '@/components/ui/cost'
import { StatePill } from '@/components/ui/state-pill'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatDuration } from '@/lib/words/format'
import { orderedResults, type ShownCheck } from './ordered-results'
import { SuiteMatrix } from './suite-matrix'

type Props = {
  run: CheckRunDetail
  earlier: readonly Earlier[]
  /** Ids of the runs of tries and judges that exist and that the reader may open. */
  visible: ReadonlySet<string>
}

/** Shows the tries of each check with each configuration: newly failed ones first. */
export function CheckRunResults({ run, earlier, visible }: Props) {
  const all = orderedResults(run, earlier)
  // The table of a suite leads to the green ones.
  const shown = run.isSuite ? all.filter(({ verdict }) => verdict !== 'passed') : all
  return (
    <>
      {run.isSuite && <SuiteMatrix checks={all} />}
      {shown.map((each) => (
        <ResultsOf
          key={`${each.checkId} ${each.configurationId}`}
          shown={each}
          visible={visible}
          isNamed={run.isSuite}
        />
      ))}
    </>
  )
}

type ResultsProps = {
  shown: ShownCheck
  visible: Props['visible']
  /** The heading also has the name of the check. */
  isNamed: boolean
}

function ResultsOf({ shown, visible, isNamed }: ResultsProps) {
  const { configurationName, version, verdict, isNew, results, passed, passes } = shown
  const title = [
    ...(isNamed ? [visibleText(shown.checkName)] : []),
    visibleText(configurationName),
    ...(version === null ? [] : [`version ${version}`]),
  ]
  return (
    <section aria-label={`Results with ${title.join(', ')}`} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-lg [overflow-wrap:anywhere]">{title.join(', ')}</h2>
        <VerdictPill verdict={verdict} />
        {isNew && <Badge>Passed before</Badge>}
        {shown.originalRunId !== null && (
          <TextLink href={`/runs/${shown.originalRunId}`}>Saved run</TextLink>
        )}
        {results.length > 1 && (
          <span className="numeric text-muted text-sm">
            {passed} of {countOf(results.length, 'try', 'tries')} passed, {passes} must pass
          </span>
        )}
      </div>
      <ol aria-label="Tries" className="flex flex-col gap-4">
        {results.map((result) => (
          <Try key={result.id} result={result} shown={shown} visible={visible} />
        ))}
      </ol>
    </section>
  )
}

type TryProps = { result: CheckResult; shown: ShownCheck; visible: Props['visible'] }

function Try({ result, shown, visible }: TryProps) {
  const { verdict, reason, judged, durationMs, runId } = result
  const isAlone = shown.results.length === 1
  return (
    <li className="flex flex-col gap-2 rounded-md border bg-surface-1 p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className={isAlone ? 'sr-only' : 'font-medium text-strong'}>Try {result.try}</h3>
        <TryState result={result} isAlone={isAlone} />
        {verdict !== null && runId !== null && (
          <span className="numeric text-muted text-sm">
            <Cost microUsd={result.costMicroUsd} bound="exact" />
            {durationMs !== null && `, ${formatDuration(durationMs)}`}
          </span>
        )}
        <TryLinks result={result} shown={shown} visible={visible} />
      </div>
      {reason !== '' && (
        <p className="[overflow-wrap:anywhere]">
          <VisibleText text={reason} />
        </p>
      )}
      {judged !== null && judged.length > 0 && (
        <Folded isOpen={verdict !== 'passed' || isAlone} count={judged.length}>
          <JudgedAssertions judged={redFirst(judged)} visible={visible} />
        </Folded>
      )}
    </li>
  )
}

/** Shows how a try stands. The only one stands as its check does, which the heading says. */
function TryState({
  result: { verdict, runId },
  isAlone,
}: {
  result: CheckResult
  isAlone: boolean
}) {
  if (verdict === null && runId === null)
    return <StatePill state="waiting">Waits for its turn</StatePill>
  return !isAlone && <VerdictPill verdict={verdict} />
}

/** Shows the assertions of a try; those of a green one among several behind a line, which says how many passed. */
function Folded(props: { isOpen: boolean; count: number; children: ReactNode }) {
  if (props.isOpen) return props.children
  return (
    <Disclosure summary={`${countOf(props.count, 'assertion')} passed`}>
      {props.children}
    </Disclosure>
  )
}

function redFirst(judged: NonNullable<CheckResult['judged']>) {
  return judged.toSorted((a, b) => Number(a.passed) - Number(b.passed))
}

/** Leads to the run of a try, and to the run that it can be compared with: the newest that passed, else the saved one. */
function TryLinks({ result: { runId, verdict }, shown, visible }: TryProps) {
  if (runId === null) return null
  if (!visible.has(runId)) return <span className="text-muted text-sm">The run was deleted.</span>
  const { passedRunId, originalRunId } = shown
  const other = passedRunId ?? originalRunId
  return (
    <span className="flex flex-wrap gap-x-3 text-sm">
      <TextLink href={`/runs/${runId}`}>Open run</TextLink>
      {other !== null && other !== runId && verdict !== null && (
        <TextLink href={`/runs/${runId}/compare?with=${other}`}>
          {passedRunId === null
            ? 'Compare with the saved run'
            : 'Compare with the last that passed'}
        </TextLink>
      )}
    </span>
  )
}

function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="text-link hover:underline">
      {children}
    </Link>
  )
}
