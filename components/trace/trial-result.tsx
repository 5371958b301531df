import type { PolicyTrial } from '@toolgate/server/runs/replay/try-policy'
import Link from 'next/link'
import { RelativeTime } from '@/components/ui/relative-time'
import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'
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
      <Table aria-label="Runs that would have gone otherwise">
        <thead>
          <tr>
            <TableHead>Run</TableHead>
            <TableHead>Today</TableHead>
            <TableHead>With the change</TableHead>
          </tr>
        </thead>
        <tbody>
          {runs.map(({ runId, prompt, createdAt, place, today, draft }) => (
            <TableRow key={runId}>
              <TableCell className="min-w-40">
                <Link
                  href={runHref(runId, place)}
                  target="_blank"
                  className="text-link underline underline-offset-2"
                >
                  <VisibleText text={prompt} />
                </Link>
                <p className="text-muted">
                  <PlaceWords place={place} />, <RelativeTime at={createdAt} />
                </p>
              </TableCell>
              <TableCell className="min-w-40">
                <VisibleText text={today} />
              </TableCell>
              <TableCell className="min-w-40">
                <VisibleText text={draft} />
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
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
