import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import { Cost } from '@/components/ui/cost'
import { ErrorNotice } from '@/components/ui/error-notice'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import type { FailureCategory, ProviderFailure } from '@/lib/protocol/failure'
import { lastTarget, mendOfEnd, withoutCommands } from '@/lib/protocol/failure-words'
import type { RunEnd, RunState } from '@/lib/protocol/fold-run'
import { countOf, formatCount, formatDuration } from '@/lib/protocol/format'
import { cacheWords, runCacheSavedMicroUsd, runCostBound } from '@/lib/protocol/run-cost'
import { endWords } from './end-words'
import { type MendFacts, MendLink } from './mend-link'
import { VisibleText } from './visible-text'

type Props = {
  /** Of a run that ended. */
  state: RunState & { end: RunEnd }
  children?: ReactNode
}

/** Says how the run ended, with its numbers and actions. */
export function EndStrip({ state, children }: Props) {
  const { end, rounds, repricedAt } = state
  const calls = rounds.reduce((sum, round) => sum + round.calls.length, 0)
  const place = mendOfEnd(end)
  const { pill, word, sentence } = endWords(end.reason, end.notStarted)
  const { usage } = end
  const cache = cacheWords(usage, runCacheSavedMicroUsd(state))
  const facts = [
    countOf(rounds.length, 'round'),
    countOf(calls, 'call'),
    `${formatCount(usage.inputTokens)} in`,
    ...(cache === '' ? [] : [cache]),
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
      {end.failure && <Failure failure={end.failure} message={end.message} />}
      {place && (
        <p className="text-sm">
          <MendLink place={place} facts={mendFacts(state)} />
        </p>
      )}
      <ul className="numeric flex flex-wrap gap-x-3 text-muted text-sm">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
        <li>
          <Cost microUsd={end.costMicroUsd} bound={runCostBound(state)} />
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

function mendFacts(state: RunState): MendFacts {
  const target = lastTarget(state)
  const { configurationId: id = null, configurationName: name = '' } = state.start?.snapshot ?? {}
  return {
    connection: target && { id: target.connectionId, name: target.connectionName },
    model: target && { id: target.modelRecordId, name: target.modelId },
    configuration: id === null ? null : { id, name },
  }
}

/** Shows the failure. The run's message says more when several models were tried. */
function Failure({ failure, message }: { failure: ProviderFailure; message: string }) {
  const { advice } = failure
  return (
    <ErrorNotice title={failureTitle(failure)} incident={failure.incidentId}>
      <VisibleText text={withoutCommands(message.startsWith(advice) ? message : advice)} />
    </ErrorNotice>
  )
}

const titles: Record<FailureCategory, string> = {
  auth: 'The provider refused the key',
  forbidden: 'The provider does not allow this request',
  'no-credit': 'The account has no credit or quota left',
  'not-found': 'The provider does not know this model or address',
  'rate-limited': 'The provider’s rate limit was reached',
  overloaded: 'The provider is overloaded',
  server: 'The provider failed',
  connection: 'The provider could not be reached',
  timeout: 'The provider did not answer in time',
  'bad-request': 'The provider did not accept the request',
  'context-length': 'The conversation is too long for the model',
  'invalid-response': 'The provider’s answer could not be read',
  cancelled: 'The request was cancelled',
  egress: 'The provider’s address is blocked',
  'circuit-open': 'The provider is paused because it failed too often',
  'connection-changed': 'No request was sent because the connection changed',
  files: 'No request was sent because of the attached files',
}

/** Returns the failure that ended a run in words, with the HTTP status the provider gave. */
function failureTitle({ category, status }: ProviderFailure): string {
  return status === null ? titles[category] : `${titles[category]} (HTTP ${status})`
}
