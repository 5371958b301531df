import type { PolicyTrial } from '@toolgate/server/runs/replay/try-policy'
import Link from 'next/link'
import { RelativeTime } from '@/components/ui/relative-time'
import { countOf, formatCount } from '@/lib/words/format'
import { callAnchor } from './call-target'
import { VisibleText } from './visible-text'

/** Shows how many past runs a draft of the policy would have changed, and which. */
export function TrialResult({ trial, days }: { trial: PolicyTrial; days: number }) {
  const { found, replayed, changed, changedToday, baseline, unreplayable } = trial
  const period = days === 1 ? 'the last day' : `the last ${days} days`
  if (found === 0) return <p>No runs in {period}.</p>
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="numeric text-strong">
        <span className="font-medium">
          {formatCount(changed)} of {countOf(replayed, 'run')}
        </span>{' '}
        of {period} would have gone otherwise.
      </p>
      {changedToday > 0 && (
        <p className="numeric text-muted">
          {formatCount(changedToday)} go otherwise today already, without this change.
        </p>
      )}
      {baseline > 0 && (
        <p className="numeric text-warning">
          {formatCount(baseline)} differ when replayed twice: do not trust them.
        </p>
      )}
      {unreplayable.map(({ why, count }) => (
        <p key={why} className="numeric text-muted">
          {formatCount(count)} not replayed: {why}
        </p>
      ))}
      <ChangedRuns trial={trial} />
    </div>
  )
}

function ChangedRuns({ trial: { runs, changed } }: { trial: PolicyTrial }) {
  if (runs.length === 0) return null
  return (
    <>
      <ul
        aria-label="Runs that would have gone otherwise"
        className="divide-y rounded-md border bg-surface-1 text-sm"
      >
        {runs.map(({ runId, prompt, createdAt, place, today, draft }) => (
          <li key={runId} className="flex flex-col gap-1 px-3 py-2">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <Link
                href={runHref(runId, place)}
                target="_blank"
                className="min-w-0 text-link underline underline-offset-2 [overflow-wrap:anywhere]"
              >
                <VisibleText text={prompt} />
              </Link>
              <span className="text-muted">
                <PlaceWords place={place} />, <RelativeTime at={createdAt} />
              </span>
            </p>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 [overflow-wrap:anywhere]">
              <dt className="text-muted">Today</dt>
              <dd>
                <VisibleText text={today} />
              </dd>
              <dt className="text-muted">With it</dt>
              <dd>
                <VisibleText text={draft} />
              </dd>
            </dl>
          </li>
        ))}
      </ul>
      {changed > runs.length && (
        <p className="numeric text-muted">The newest {formatCount(runs.length)} are listed.</p>
      )}
    </>
  )
}

type Place = PolicyTrial['runs'][number]['place']

function runHref(runId: string, place: Place): string {
  return place.type === 'call' ? `/runs/${runId}#${callAnchor(place.callId)}` : `/runs/${runId}`
}

function PlaceWords({ place }: { place: Place }) {
  switch (place.type) {
    case 'round':
      return `Round ${place.round}`
    case 'call':
      return (
        <>
          Round {place.round}, <VisibleText text={place.tool} />
        </>
      )
    case 'end':
      return 'End'
    default:
      return place satisfies never
  }
}
