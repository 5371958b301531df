import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import { Cost } from '@/components/ui/cost'
import { ErrorNotice } from '@/components/ui/error-notice'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import type { ProviderFailure } from '@/lib/protocol/failure'
import type { RunState } from '@/lib/protocol/fold-run'
import { countOf, formatCount, formatDuration } from '@/lib/protocol/format'
import { endWords } from './end-words'
import { failureTitle } from './failure-words'
import { VisibleText } from './visible-text'

type Props = {
  end: NonNullable<RunState['end']>
  rounds: number
  calls: number
  /** When its cost was last worked out anew, ms since 1970; null = never. */
  repricedAt: number | null
  children?: ReactNode
}

/** How the run ended, in words and numbers, and what can be done with it now. */
export function EndStrip({ end, rounds, calls, repricedAt, children }: Props) {
  const { pill, word, sentence } = endWords(end.reason, end.notStarted)
  const { usage } = end
  const facts = [
    countOf(rounds, 'round'),
    countOf(calls, 'call'),
    `${formatCount(usage.inputTokens)} in${usage.cachedInputTokens > 0 ? ` (${formatCount(usage.cachedInputTokens)} cached)` : ''}`,
    `${formatCount(usage.outputTokens)} out`,
  ]
  return (
    <section aria-label="How the run ended" className="flex flex-col gap-3 border-t-2 pt-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatePill state={pill}>{word}</StatePill>
        {end.truncated && <Badge tone="warning">Truncated</Badge>}
        {!end.failure && (
          <span className="text-sm">
            <VisibleText text={end.message || sentence} />
          </span>
        )}
      </div>
      {end.failure && <Failure failure={end.failure} />}
      <ul className="numeric flex flex-wrap gap-x-3 text-muted text-sm">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
        <li>
          <Cost microUsd={end.costMicroUsd} />
        </li>
        <li>{formatDuration(end.wallTimeMs)}</li>
        {repricedAt !== null && (
          <li>
            cost recomputed <RelativeTime at={repricedAt} />
          </li>
        )}
      </ul>
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </section>
  )
}

function Failure({ failure }: { failure: ProviderFailure }) {
  return (
    <ErrorNotice title={failureTitle(failure)} incident={failure.incidentId}>
      <VisibleText text={failure.advice} />
    </ErrorNotice>
  )
}
