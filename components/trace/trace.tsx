'use client'

import { type ReactNode, useMemo } from 'react'
import type { RunState } from '@/lib/protocol/fold-run'
import type { ModelTarget } from '@/lib/protocol/model-target'
import { AttachedFiles } from './attached-files'
import { EndStrip } from './end-strip'
import { LongText } from './long-text'
import { NoteLine } from './note-line'
import { OfferSummary } from './offer-summary'
import { RoundBlock } from './round-block'
import { StructuredOutput } from './structured-output'
import { type TraceFacts, TraceFactsProvider } from './trace-context'

const noTargets: readonly ModelTarget[] = []

/** Shows a run, live or from history. `children` are what can be done with a run that ended. */
export function Trace({
  runId,
  state,
  children,
}: {
  runId: string
  state: RunState
  children?: ReactNode
}) {
  const { start, end, rounds } = state
  const ended = end !== null
  const nonce = start?.nonce ?? ''
  const canary = start?.canary ?? ''
  const lastRound = rounds.at(-1)?.round ?? 0
  const configurationId = start?.snapshot.configurationId ?? null
  const taskId = start?.snapshot.task?.taskId ?? null
  const userId = start?.actor.userId ?? null
  const facts = useMemo<TraceFacts>(
    () => ({ runId, configurationId, taskId, userId, fence: { nonce, canary }, ended, lastRound }),
    [runId, configurationId, taskId, userId, nonce, canary, ended, lastRound],
  )
  const targets = start?.snapshot.targets ?? noTargets
  return (
    <TraceFactsProvider value={facts}>
      <div className="flex flex-col gap-4">
        {start && (
          <section aria-label="Prompt" className="rounded-md border bg-surface-1 px-3 py-2">
            <LongText text={start.prompt} label="Whole prompt" mono={false} />
            {start.files && <AttachedFiles files={start.files} label="Attached files" />}
          </section>
        )}
        {start && <OfferSummary start={start} />}
        {state.notes.map((note, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes are only ever added at the end
          <NoteLine key={index} note={note} before={state.notes[index - 1]} targets={targets} />
        ))}
        {rounds.map((round, index) => (
          <RoundBlock
            key={round.round}
            round={round}
            nextTarget={rounds[index + 1]?.target ?? round.target}
            targets={targets}
            ended={ended}
            isValue={round.round === lastRound && end?.structured !== undefined}
          />
        ))}
        {end && <StructuredOutput state={state} />}
        {end && <EndStrip state={{ ...state, end }}>{children}</EndStrip>}
      </div>
    </TraceFactsProvider>
  )
}
