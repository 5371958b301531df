'use client'

import Link from 'next/link'
import { Cost } from '@/components/ui/cost'
import { StatePill } from '@/components/ui/state-pill'
import { runCostBound } from '@/lib/protocol/cost/cost'
import { initialRunState } from '@/lib/protocol/run/fold-run'
import { answerOf, modelOf } from '@/lib/protocol/run/run-answer'
import { countOf } from '@/lib/words/format'
import { LongText } from './long-text'
import { Part } from './part'
import { runPill } from './run-words'
import { browserPort, type FollowPort, useRunEvents } from './use-run-events'
import { VisibleText } from './visible-text'

/** `answered`: the result of the call has its answer. */
type Props = { runId: string; answered: boolean; port?: FollowPort }

/** Shows the run that a call started, live: its state, what it did so far and its answer. Give it a `key` of the run's id. */
export function ChildRun({ runId, answered, port = browserPort }: Props) {
  const { state, connection } = useRunEvents(runId, initialRunState, port)
  const { start, rounds, costMicroUsd, end } = state
  const calls = rounds.reduce((sum, round) => sum + round.calls.length, 0)
  const answer = answerOf(state)
  return (
    <Part
      title="The run that it started"
      action={
        <Link href={`/runs/${runId}`} className="text-link text-sm hover:underline">
          Open run
        </Link>
      }
    >
      {start === null ? (
        <p className="min-h-6 text-muted text-sm">
          {['refused', 'lost', 'closed'].includes(connection)
            ? 'Deleted, or you may not see it.'
            : 'Loading…'}
        </p>
      ) : (
        <>
          <div className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
            <StatePill state={runPill(state).pill}>{runPill(state).word}</StatePill>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <VisibleText text={[start.snapshot.configurationName, modelOf(state)].join(', ')} />
            </span>
            <span className="numeric">{countOf(rounds.length, 'round')}</span>
            <span className="numeric">{countOf(calls, 'call')}</span>
            <span className="numeric">
              <Cost microUsd={costMicroUsd} bound={runCostBound(state)} />
            </span>
          </div>
          {answer !== '' && !answered && <LongText text={answer} label="Its answer" />}
          {end && !answered && end.message !== '' && (
            <p className="text-sm">
              <VisibleText text={end.message} />
            </p>
          )}
        </>
      )}
    </Part>
  )
}
