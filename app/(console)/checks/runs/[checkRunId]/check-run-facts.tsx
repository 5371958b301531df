import type { CheckRunDetail } from '@toolgate/server/runs/checks/schemas'
import { modeWords, VerdictPill } from '@/components/checks/verdict-pill'
import { Elapsed } from '@/components/trace/elapsed'
import { VisibleText } from '@/components/trace/visible-text'
import { Cost } from '@/components/ui/cost'
import { Fact } from '@/components/ui/fact'
import { countOf, formatDuration } from '@/lib/words/format'

/** Shows how a whole run of checks stands. */
export function CheckRunFacts({ run }: { run: CheckRunDetail }) {
  const { createdAt, endedAt, stoppedBy, results } = run
  const since = Date.parse(createdAt)
  return (
    <section aria-label="About this run" className="rounded-md border bg-surface-1 p-3">
      <p role="status" aria-live="polite" className="sr-only">
        {results.length - run.open} of {countOf(results.length, 'try', 'tries')} ended.
      </p>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
        <Fact label="Result">
          <VerdictPill verdict={run.verdict} />
        </Fact>
        <Fact label="Tries">{triesWords(run)}</Fact>
        <Fact label="Tools">{modeWords[run.mode]}</Fact>
        <Fact label="Cost">
          <Cost microUsd={run.costMicroUsd} bound="exact" />
        </Fact>
        <Fact label="Time">
          {endedAt === null ? (
            <Elapsed since={since} />
          ) : (
            formatDuration(Math.max(0, Date.parse(endedAt) - since))
          )}
        </Fact>
        {stoppedBy !== null && (
          <Fact label="Stopped by">
            <VisibleText text={stoppedBy} />
          </Fact>
        )}
      </dl>
    </section>
  )
}

function triesWords({ passed, failed, notRun, results }: CheckRunDetail): string {
  const open = results.filter(({ verdict }) => verdict === null)
  const waiting = open.filter(({ runId }) => runId === null).length
  const parts = [
    [passed, 'passed'],
    [failed, 'failed'],
    [notRun, 'not run'],
    [open.length - waiting, 'running'],
    [waiting, 'waiting'],
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(', ')
}
