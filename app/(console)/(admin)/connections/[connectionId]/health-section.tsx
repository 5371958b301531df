import type { ConnectionDetails } from '@toolgate/server/domains/connections/schemas'
import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { StatePill } from '@/components/ui/state-pill'
import { failureName, fixOfFailure, withoutCommands } from '@/lib/protocol/model/failure-words'
import { formatCount } from '@/lib/words/format'
import { TestResult } from '../connection-test'
import { healthPill, isRefused } from '../connection-words'

/** Shows the failures that runs had with this connection, and the result of the last test. */
export function HealthSection({ connection }: { connection: ConnectionDetails }) {
  const { lastTest } = connection
  const { state, word } = healthPill(connection)
  return (
    <Section title="Health">
      <div className="flex max-w-3xl flex-col gap-1 rounded-md border bg-surface-1 p-3">
        <p className="flex flex-wrap items-center gap-2">
          <StatePill state={state}>{word}</StatePill>
        </p>
        <Breaker connection={connection} />
      </div>
      <Problems connection={connection} />
      {lastTest ? (
        <TestResult test={lastTest}>
          <span className="text-muted text-sm">
            tested <RelativeTime at={lastTest.at} />
          </span>
        </TestResult>
      ) : (
        <p className="text-muted">
          {connection.wire === 'demo'
            ? 'The demo is built in. Nothing is sent to a provider.'
            : 'Not tested yet with this address and key.'}
        </p>
      )}
    </Section>
  )
}

function Breaker({
  connection: { enabled, health, troubles, lastTest },
}: {
  connection: ConnectionDetails
}) {
  if (!enabled) return <p>It is switched off: nothing is sent to it.</p>
  switch (health.type) {
    case 'untried':
      return <p>No run has received an answer from this connection yet.</p>
    case 'healthy':
      if (troubles.length > 0) return <p>The provider answers, but somebody must fix this:</p>
      if (isRefused(lastTest)) return <p>The provider answers, but refused the last test:</p>
      return <p>No failure since the last answer.</p>
    case 'failing':
      return (
        <p>
          {failures(health.failures)}
          {health.at && (
            <>
              , last <RelativeTime at={health.at} />
            </>
          )}
          . {withoutCommands(health.advice)}
        </p>
      )
    case 'open':
      return (
        <p>
          {failures(health.failures)}, so it is paused until <RelativeTime at={health.openUntil} />.
          Then one request tests it. Runs continue with the next model of their fallback chain.{' '}
          {withoutCommands(health.advice)}
        </p>
      )
    default:
      return health satisfies never
  }
}

/** Lists the last failures that an admin can act on, until a successful request ends them. */
function Problems({ connection: { id, troubles } }: { connection: ConnectionDetails }) {
  if (troubles.length === 0) return null
  return (
    <ul aria-label="To fix" className="max-w-3xl divide-y rounded-md border bg-surface-1">
      {troubles.map(({ category, at, runId, advice, ofModel, model }) => (
        <li key={`${category} ${ofModel ? model?.id : ''}`} className="flex flex-col gap-1 p-3">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <StatePill state={ofModel ? 'warning' : 'error'}>{failureName(category)}</StatePill>
            {model && (
              <Link
                href={`/models/${model.id}`}
                className="text-link [overflow-wrap:anywhere] hover:underline"
              >
                <VisibleText text={model.modelId} />
              </Link>
            )}
            <RelativeTime at={at} className="text-muted text-sm" />
          </p>
          <p>{withoutCommands(advice)}</p>
          <p className="flex flex-wrap gap-x-4 text-sm">
            {runId && (
              <Link href={`/runs/${runId}`} className="text-link hover:underline">
                Open the run
              </Link>
            )}
            {fixOfFailure(category) === 'key' && (
              <a href={`/connections/${id}#key`} className="text-link hover:underline">
                Replace the key
              </a>
            )}
          </p>
        </li>
      ))}
    </ul>
  )
}

function failures(count: number): string {
  return count === 1 ? 'The last request failed' : `The last ${formatCount(count)} requests failed`
}
