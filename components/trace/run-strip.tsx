import { Square, WifiOff } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Cost } from '@/components/ui/cost'
import { StatePill } from '@/components/ui/state-pill'
import { addCost, cacheWords, runCacheSavedMicroUsd, runCostBound } from '@/lib/protocol/cost/cost'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { placeWords, type Waiting } from '@/lib/protocol/run/waiting'
import { timeWords, waitedForPeopleMs, waitsOf } from '@/lib/protocol/run/work-time'
import { countOf, formatCount, formatDuration } from '@/lib/words/format'
import { Elapsed } from './elapsed'
import type { ConnectionState } from './live-hub'
import { runPill } from './run-words'

type Props = {
  state: RunState
  /** Number of rounds that have not arrived yet. */
  left?: number
  /** Null = it does not wait for a place to begin. */
  waiting: Waiting | null
  connection: ConnectionState
  stopping: boolean
  /** Null = this reader cannot stop the run, or it is not running. */
  onStop: (() => void) | null
}

/** Shows the state of the run, always visible: state, round, tokens, cost, time, context, and Stop. */
export function RunStrip({ state, left = 0, waiting, connection, stopping, onStop }: Props) {
  const { pill, word } =
    stopping && !state.end
      ? ({ pill: 'waiting', word: 'Stopping' } as const)
      : runPill(state, waiting)
  // The text about the rounds needs all of them.
  const isWhole = left === 0
  const round = state.rounds.at(-1)
  const target = round && state.start?.snapshot.targets[round.target]
  const { usage } = state
  // A run that ended without any answer sent nothing that filled a context.
  const hasAnswers = !state.end || state.rounds.some(({ response }) => response !== null)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      role="group"
      aria-label="State and totals"
      className="sticky top-12 z-20 flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b bg-surface-0 py-1.5"
    >
      <StatePill state={pill}>{word}</StatePill>
      <ul className="numeric order-last flex min-w-0 basis-full flex-wrap items-center gap-x-4 gap-y-0.5 text-sm md:order-none md:flex-1 md:basis-0">
        {waiting && <li className="first-letter:uppercase">{placeWords(waiting)}</li>}
        {state.end && isWhole && <Counts rounds={state.rounds} />}
        {state.start && !waiting && !state.end && (
          <li>
            Round {round?.round ?? 0} of {state.start.snapshot.maxRounds}
            {round?.closing && ' (closing)'}
          </li>
        )}
        <li>
          {formatCount(usage.inputTokens)} in
          {!state.end &&
            usage.cachedInputTokens > 0 &&
            ` (${formatCount(usage.cachedInputTokens)} cached)`}
          , {formatCount(usage.outputTokens)} out
        </li>
        {state.end && isWhole && <Cached state={state} />}
        {isWhole && (
          <li>
            <Cost microUsd={state.costMicroUsd} bound={runCostBound(state)} />
          </li>
        )}
        {isWhole && state.childrenMicroUsd !== 0 && (
          <li>
            <Cost
              microUsd={addCost(state.costMicroUsd, state.childrenMicroUsd)}
              bound={runCostBound(state)}
            />{' '}
            with its child runs
          </li>
        )}
        <li>
          <WorkTime state={state} />
        </li>
        {state.waitingSince !== null && (
          <li>
            waiting for approval <Elapsed since={state.waitingSince} />
          </li>
        )}
        {round && isWhole && hasAnswers && (
          <li>
            <ContextUsed
              tokens={round.contextTokens}
              windowTokens={target?.contextTokens ?? null}
            />
          </li>
        )}
      </ul>
      <Connection connection={connection} />
      {onStop && !state.end && (
        <Button
          variant="danger"
          size="sm"
          className="ml-auto"
          onClick={onStop}
          disabled={stopping || state.cancelRequested !== null}
        >
          <Square className="size-3.5 fill-current" aria-hidden />
          Stop
        </Button>
      )}
    </div>
  )
}

/** Shows how many rounds and calls a run had. */
function Counts({ rounds }: Pick<RunState, 'rounds'>) {
  const calls = rounds.reduce((sum, round) => sum + round.calls.length, 0)
  return (
    <>
      <li>{countOf(rounds.length, 'round')}</li>
      <li>{countOf(calls, 'call')}</li>
    </>
  )
}

/** Says what came from the provider's cache, and what that saved. */
function Cached({ state }: { state: RunState }) {
  const words = cacheWords(state.usage, runCacheSavedMicroUsd(state))
  return words === '' ? null : <li>{words}</li>
}

/** Shows how long the run worked, and how long it waited once that is over: waiting is not work. */
export function WorkTime({ state }: { state: RunState }) {
  const { end, startedAt, waitingSince, waitedMs } = state
  if (end) return timeWords(end.wallTimeMs, waitsOf(state))
  if (startedAt === null) return '0:00'
  const waited = waitedForPeopleMs(state)
  const worksSince = startedAt + waitedMs
  return (
    <>
      {waitingSince === null ? (
        <Elapsed since={worksSince} />
      ) : (
        formatDuration(Math.max(0, waitingSince - worksSince))
      )}
      {(waited > 0 || waitingSince !== null) && ' of work'}
      {waited > 0 && `, ${formatDuration(waited)} waiting for approval`}
    </>
  )
}

const connectionWords: Partial<Record<ConnectionState, string>> = {
  reconnecting: 'Reconnecting…',
  refused: 'Not connected. Reload the page.',
  lost: 'The run is no longer there. Reload the page.',
}

export function Connection({ connection }: { connection: ConnectionState }) {
  const words = connectionWords[connection]
  if (!words) return null
  return (
    <span className="flex items-center gap-1 text-sm text-warning">
      <WifiOff className="size-4" aria-hidden />
      {words}
    </span>
  )
}

const radius = 6
const around = 2 * Math.PI * radius

/** Shows how full the model's context window is, as a ring and a number. */
function ContextUsed({ tokens, windowTokens }: { tokens: number; windowTokens: number | null }) {
  if (windowTokens === null) {
    return <span title="Context window unknown">{formatCount(tokens)} tokens of context</span>
  }
  const share = Math.min(1, tokens / windowTokens)
  const percent = share > 0 && share < 0.01 ? '< 1' : String(Math.round(share * 100))
  return (
    <span
      className="flex items-center gap-1"
      title={`About ${formatCount(tokens)} of ${formatCount(windowTokens)} tokens`}
    >
      <svg viewBox="0 0 16 16" className="size-4 -rotate-90" aria-hidden="true">
        <circle
          cx="8"
          cy="8"
          r={radius}
          fill="none"
          strokeWidth="2.5"
          className="stroke-surface-3"
        />
        <circle
          cx="8"
          cy="8"
          r={radius}
          fill="none"
          strokeWidth="2.5"
          strokeDasharray={`${share * around} ${around}`}
          className={share > 0.8 ? 'stroke-warning' : 'stroke-link'}
        />
      </svg>
      {percent} % of context
    </span>
  )
}
