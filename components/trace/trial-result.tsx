'use client'
import type { PolicyTrial } from '@toolgate/server/runs/replay/trial-shape'
import Link from 'next/link'
import { RelativeTime } from '@/components/ui/relative-time'
import { formatCount } from '@/lib/words/format'
import { placeWords, trialSentences } from '@/lib/words/replay-words'
import { callAnchor } from './call-target'
import { Differences } from './differences'
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
      <Differences
        label="Runs that would have gone otherwise"
        entries={runs.map(({ runId, prompt, createdAt, place, was, today, draft }) => ({
          key: runId,
          place: (
            <Link
              href={runHref(runId, place)}
              target="_blank"
              className="text-link underline underline-offset-2"
            >
              <VisibleText text={prompt} />
            </Link>
          ),
          notes: (
            <>
              <VisibleText text={placeWords(place)} />, <RelativeTime at={createdAt} />
            </>
          ),
          words: [
            ['What happened', was],
            ['Today', today],
            ['With the change', draft],
          ],
        }))}
      />
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
