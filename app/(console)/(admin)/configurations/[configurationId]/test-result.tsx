'use client'
import Link from 'next/link'
import { runPill } from '@/components/trace/run-words'
import { useRunEvents } from '@/components/trace/use-run-events'
import { VisibleText } from '@/components/trace/visible-text'
import { StatePill } from '@/components/ui/state-pill'
import { boundedCost, runCostBound } from '@/lib/protocol/cost/cost'
import { initialRunState } from '@/lib/protocol/run/fold-run'
import { formatDuration, formatTokens } from '@/lib/words/format'

/** Shows a test run while it goes on: the answer or why there is none, how long it took and what it cost. */
export function TestResult({ runId }: { runId: string }) {
  const { state } = useRunEvents(runId, initialRunState)
  const { rounds, usage, costMicroUsd, end } = state
  const { pill, word } = runPill(state)
  const round = rounds.at(-1)
  const answered = round && state.start?.snapshot.targets[round.target]
  const facts: [string, string][] = [
    ['Model', answered ? `${answered.modelId} at ${answered.connectionName}` : 'not called yet'],
    ['First token', formatMs(round?.response?.firstTokenMs)],
    ['Total time', end ? formatDuration(end.wallTimeMs) : '…'],
    [
      'Tokens',
      end ? `${formatTokens(usage.inputTokens)} in, ${formatTokens(usage.outputTokens)} out` : '…',
    ],
    ['Cost', end ? boundedCost(costMicroUsd, runCostBound(state)) : '…'],
  ]
  return (
    <section aria-label="Result" className="flex flex-col gap-2 rounded-md border p-3">
      <div role="status" className="flex flex-col items-start gap-2">
        <StatePill state={pill}>{word}</StatePill>
        {end && end.reason !== 'completed' && (
          <p className="text-error [overflow-wrap:anywhere]">
            <VisibleText text={end.message} />
          </p>
        )}
        {round?.text && (
          <p className="max-h-40 overflow-y-auto whitespace-pre-wrap text-strong [overflow-wrap:anywhere]">
            <VisibleText text={round.text} />
          </p>
        )}
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-sm">
        {facts.map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd className="numeric min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      <Link
        href={`/runs/${runId}`}
        className="w-fit text-link text-sm underline underline-offset-2"
      >
        Open run
      </Link>
    </section>
  )
}

function formatMs(ms: number | null | undefined): string {
  return typeof ms === 'number' ? formatDuration(ms) : '…'
}
