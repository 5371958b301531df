'use client'
import { type ReactNode, useMemo } from 'react'
import { CopyButton } from '@/components/ui/copy-button'
import { gateTitle } from '@/lib/protocol/gate-answers'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { unusedRecordings } from '@/lib/protocol/run/recordings'
import { resultSources } from '@/lib/protocol/run/result-sources'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import { firstParts, roundsWithin } from '@/lib/protocol/run/run-opening'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { structuredAnswer } from '@/lib/words/json-text'
import { AttachedFiles } from './attached-files'
import { Disclosure } from './disclosure'
import { EndStrip } from './end-strip'
import { LongText } from './long-text'
import { NotesFromMemory } from './notes-from-memory'
import { Notes, RoundBlock } from './round-block'
import { type TraceFacts, TraceFactsProvider } from './trace-context'
import { TurnsBefore } from './turns-before'
import { useShown } from './use-shown'
import { VisibleText } from './visible-text'

const noTargets: readonly ModelTarget[] = []

/** Shows a run, live or from history. `children` are what can be done with a run that ended. */
export function Trace({
  runId,
  title,
  state,
  left = 0,
  children,
}: {
  runId: string
  title?: string | undefined
  state: RunState
  /** Number of rounds of an ended run that have not arrived yet. */
  left?: number
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
  const sources = resultSources(start)
  const copiedThrough = state.copied?.round ?? 0
  const isPart = start?.parent !== undefined || start?.panelId !== undefined
  const mayFork = ended && !isPart && !start?.snapshot.isTry
  const facts = useMemo<TraceFacts>(
    () => ({
      runId,
      configurationId,
      taskId,
      userId,
      fence: { nonce, canary },
      ended,
      lastRound,
      fork: sources ? { sources, copiedThrough } : null,
      mayFork,
    }),
    [
      runId,
      configurationId,
      taskId,
      userId,
      nonce,
      canary,
      ended,
      lastRound,
      sources,
      copiedThrough,
      mayFork,
    ],
  )
  const targets = start?.snapshot.targets ?? noTargets
  const shownAtEnd = end?.failure?.advice ?? null
  const shown = useShown(rounds)
  const isLong = left > 0 || roundsWithin(rounds, firstParts) < rounds.length
  const hidden = rounds.length - shown + left
  return (
    <TraceFactsProvider value={facts}>
      <div className="flex flex-col gap-4">
        {start?.continues && <TurnsBefore />}
        {start && (start.prompt !== title || start.files) && (
          <section aria-label="Prompt" className="rounded-md border bg-surface-1 px-3 py-2">
            {start.prompt !== title && (
              <LongText text={start.prompt} label="Whole prompt" mono={false} />
            )}
            {start.files && <AttachedFiles files={start.files} label="Attached files" />}
          </section>
        )}
        {start?.memory && <NotesFromMemory memory={start.memory} />}
        {start && <OfferSummary start={start} />}
        <Notes notes={state.notes} targets={targets} shownAtEnd={shownAtEnd} />
        {rounds.slice(0, shown).map((round, index) => (
          <RoundBlock
            key={round.round}
            round={round}
            nextTarget={rounds[index + 1]?.target ?? round.target}
            targets={targets}
            ended={ended}
            shownAtEnd={shownAtEnd}
            isValue={left === 0 && round.round === lastRound && end?.structured !== undefined}
            isOneOfMany={isLong}
          />
        ))}
        {hidden > 0 && <p className="text-muted">Loading {countOf(hidden, 'more round')} …</p>}
        {end && left === 0 && <UnusedRecordings state={state} />}
        {end && left === 0 && <StructuredOutput state={state} />}
        {end && left === 0 && <EndStrip state={{ ...state, end }}>{children}</EndStrip>}
      </div>
    </TraceFactsProvider>
  )
}

/** Names the recorded results that a run which goes on from another one did not use. */
function UnusedRecordings({ state }: { state: RunState }) {
  const unused = [...unusedRecordings(state)]
  if (unused.length === 0) return null
  const list = unused.map(([name, count]) => (count === 1 ? name : `${name} (${count})`))
  return (
    <p className="text-muted text-sm">
      Recorded results that were not used: <VisibleText text={list.join(', ')} />
    </p>
  )
}

/** Shows which tools the run was given, and which were not offered with the gate that denied them (SPEC G-E). */
function OfferSummary({ start }: { start: RunEventOf<'run-start'>['data'] }) {
  const { accepted, rejected } = start
  const given =
    accepted.length === 0
      ? 'No tools for this run'
      : `${countOf(accepted.length, 'tool')} for this run`
  return (
    <Disclosure summary={rejected.length > 0 ? `${given}, ${rejected.length} not offered` : given}>
      {accepted.length > 0 && (
        <p className="font-mono text-mono text-normal [overflow-wrap:anywhere]">
          {accepted.map((tool) => visibleText(tool.name)).join(', ')}
        </p>
      )}
      {rejected.length > 0 && (
        <ul className="mt-2 flex flex-col gap-0.5">
          {rejected.map((tool) => (
            <li key={tool.name}>
              <span className="font-mono text-mono text-normal">
                <VisibleText text={tool.name} />
              </span>{' '}
              <span className="text-muted">
                {gateTitle(tool)}: <VisibleText text={tool.reason} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Disclosure>
  )
}

/**
 * Returns the answer as a JSON value, with the keys in the order of the text where that is known; undefined = there is
 * no such value.
 */
function answeredValue({ end, rounds }: RunState): unknown {
  if (end?.structured === undefined) return undefined
  return structuredAnswer(rounds.at(-1)?.text ?? '') ?? end.structured
}

/** Shows the answer of a run that must fit a schema: its value as a tree, or what is wrong with it. */
function StructuredOutput({ state }: { state: RunState }) {
  const errors = state.rounds.at(-1)?.outputErrors ?? []
  const value = answeredValue(state)
  if (value === undefined && errors.length === 0) return null
  if (value === undefined) {
    return (
      <section aria-label="What is wrong with the answer" className="rounded-md border px-3 py-2">
        <p className="text-strong">The answer does not fit its schema</p>
        <ul className="list-disc pl-5 text-sm">
          {errors.map((error) => (
            <li key={error}>
              <VisibleText text={error} />
            </li>
          ))}
        </ul>
      </section>
    )
  }
  const json = JSON.stringify(value, null, 2)
  return (
    <section aria-label="Structured output" className="rounded-md border bg-surface-1 px-3 py-2">
      <div className="flex items-center justify-between gap-2">
        <p className="text-strong">Structured output</p>
        <CopyButton text={json} what="structured output" />
      </div>
      <div className="font-mono text-mono">
        <JsonTree value={value} />
      </div>
    </section>
  )
}

const mostEntries = 200
const openLevels = 2

/**
 * Shows a JSON value as a tree that opens and closes, also with the keyboard. Everything in it comes from a model and
 * is shown as text. Of a long list only the beginning is shown.
 */
function JsonTree({ value, name, level = 0 }: { value: unknown; name?: string; level?: number }) {
  if (typeof value !== 'object' || value === null) {
    return (
      <p className="[overflow-wrap:anywhere]">
        <Name name={name} />
        <Leaf value={value} />
      </p>
    )
  }
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  return (
    <details open={level < openLevels}>
      <summary className="cursor-pointer">
        <Name name={name} />
        <span className="text-muted">
          {isList
            ? `list, ${countOf(entries.length, 'item')}`
            : `object, ${countOf(entries.length, 'field')}`}
        </span>
      </summary>
      <div className="flex flex-col border-l pl-3">
        {entries.slice(0, mostEntries).map(([key, each]) => (
          <JsonTree key={key} name={key} value={each} level={level + 1} />
        ))}
        {entries.length > mostEntries && (
          <p className="text-muted">{entries.length - mostEntries} more are not shown here.</p>
        )}
      </div>
    </details>
  )
}

function Name({ name }: { name: string | undefined }) {
  if (name === undefined) return null
  return (
    <span className="text-strong">
      <VisibleText text={name} />:{' '}
    </span>
  )
}

function Leaf({ value }: { value: unknown }) {
  const text = typeof value === 'string' ? value : String(value)
  return typeof value === 'string' ? (
    <span className="whitespace-pre-wrap">
      <VisibleText text={text} />
    </span>
  ) : (
    <span className="text-accent">{text}</span>
  )
}
