import type { ConnectionDetails } from '@toolgate/server/domains/connections/schemas'
import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { StatePill } from '@/components/ui/state-pill'
import { failureName, fixOfFailure, withoutCommands } from '@/lib/protocol/model/failure-words'
import { formatCount } from '@/lib/words/format'
import { TestResult } from '../connection-test'
import { isRefused } from '../connection-words'

/** Shows the failures that runs had with this connection, and the result of the last test. */
export function HealthSection({ connection }: { connection: ConnectionDetails }) {
  const { lastTest } = connection
  return (
    <Section title="Health">
      <Breaker connection={connection} />
      <Problems connection={connection} />
      {lastTest ? (
        <TestResult test={lastTest}>
          <span className="text-muted text-sm">
            tested <RelativeTime at={lastTest.at} />
          </span>
        </TestResult>
      ) : (
        <Untested connection={connection} />
      )}
    </Section>
  )
}

/** Shows what is known without a test; a failure is shown above. */
function Untested({ connection: { wire, health, troubles } }: { connection: ConnectionDetails }) {
  if (wire === 'demo') return <p className="text-muted">Built in: nothing is sent out.</p>
  if (troubles.length > 0) return null
  if (health.type === 'untried') return <p className="text-muted">Not tested.</p>
  if (health.type === 'healthy') return <p className="text-muted">The last run got an answer.</p>
  return null
}

function Breaker({
  connection: { enabled, health, troubles, lastTest },
}: {
  connection: ConnectionDetails
}) {
  if (!enabled) return null
  switch (health.type) {
    case 'untried':
      return null
    case 'healthy':
      if (troubles.length > 0) return null
      if (isRefused(lastTest)) return <p>The last test was refused:</p>
      return null
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
          {failures(health.failures)}. Next request <RelativeTime at={health.openUntil} />; until
          then, runs use their fallbacks. {withoutCommands(health.advice)}
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
    <ul aria-label="To fix" className="divide-y rounded-md border bg-surface-1">
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
                Open run
              </Link>
            )}
            {fixOfFailure(category) === 'key' && (
              <a href={`/connections/${id}#key`} className="text-link hover:underline">
                Replace key
              </a>
            )}
          </p>
        </li>
      ))}
    </ul>
  )
}

function failures(count: number): string {
  return count === 1 ? 'Last request failed' : `Last ${formatCount(count)} requests failed`
}
