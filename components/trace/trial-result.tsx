import type { PolicyTrial } from '@toolgate/server/runs/replay/try-policy'
import Link from 'next/link'
import { RelativeTime } from '@/components/ui/relative-time'
import { formatCount } from '@/lib/words/format'
import { placeWords, trialSentences } from '@/lib/words/replay-words'
import { callAnchor } from './call-target'
import { VisibleText } from './visible-text'

/** Says how many past runs a draft of the policy would have changed. */
export function TrialSentences({ trial, days }: { trial: PolicyTrial; days: number }) {
  const [first, ...others] = trialSentences(trial, days)
  return (
    <>
      <p className="numeric font-medium text-strong">{first}</p>
      {trial.waysOut.map((sentence) => (
        <p key={sentence} className="text-warning [overflow-wrap:anywhere]">
          <VisibleText text={sentence} />
        </p>
      ))}
      {others.map((sentence) => (
        <p key={sentence} className="numeric text-muted">
          {sentence}
        </p>
      ))}
    </>
  )
}

/** Lists the past runs that a draft of the policy would have changed. */
export function ChangedRuns({ trial: { runs, changed, noted } }: { trial: PolicyTrial }) {
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
                <VisibleText text={placeWords(place)} />, <RelativeTime at={createdAt} />
              </span>
            </p>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 [overflow-wrap:anywhere]">
              <dt className="text-muted">Today</dt>
              <dd>
                <VisibleText text={today} />
              </dd>
              <dt className="text-muted">With the change</dt>
              <dd>
                <VisibleText text={draft} />
              </dd>
            </dl>
          </li>
        ))}
      </ul>
      {changed + noted > runs.length && (
        <p className="numeric text-muted">The newest {formatCount(runs.length)} are listed.</p>
      )}
    </>
  )
}

type Place = PolicyTrial['runs'][number]['place']

function runHref(runId: string, place: Place): string {
  return place.type === 'call' ? `/runs/${runId}#${callAnchor(place.callId)}` : `/runs/${runId}`
}
