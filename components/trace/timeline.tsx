'use client'
import { ArrowRightLeft, RotateCw } from 'lucide-react'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useState,
} from 'react'
import { cn } from '@/components/ui/cn'
import { useNow } from '@/components/ui/use-now'
import type { RunState } from '@/lib/protocol/run/fold-run'
import {
  axisAt,
  type Bar,
  type RoundLine,
  type Timeline as TimelineFacts,
  timelineOf,
} from '@/lib/protocol/run/run-timeline'
import { formatDuration } from '@/lib/words/format'
import { clipOf, ownTones, tones, vars } from './bars'
import { callAnchor, roundAnchor, showAnchor } from './call-target'
import { callWords } from './call-words'
import { useInView } from './in-view'
import { callName, extremeWords, roundName, roundTitle } from './timeline-words'
import { useShown } from './use-shown'
import { VisibleText } from './visible-text'

type Props = { state: RunState }

/**
 * Shows when a run worked: a bar for each round and below it one for each call. Each leads to what it shows. It stands
 * beside the trace, or above it as a strip where there is no room. It renders with events, never with pieces of an answer.
 */
export const Timeline = memo(
  function Timeline({ state }: Props) {
    const timeline = timelineOf(state)
    const { lines } = timeline
    const ended = state.end !== null
    const shown = useShown(lines)
    const { current, ...keys } = useOneTabStop(lines)
    if (ended && lines.length === 0) return null
    const words = extremeWords(timeline)
    return (
      <nav
        aria-label="Timeline"
        className="@4xl:sticky @4xl:top-28 @4xl:max-h-[calc(100dvh-8rem)] @4xl:w-80 @4xl:shrink-0 @4xl:overflow-y-auto"
      >
        <p className="flex min-h-5 flex-wrap gap-x-3 text-muted text-sm @max-4xl:h-5 @max-4xl:overflow-hidden">
          {words.map((sentence) => (
            <span key={sentence}>{sentence}</span>
          ))}
        </p>
        <p className="sr-only">Arrow keys move between bars, Enter opens one.</p>
        <Axis timeline={timeline} state={state}>
          <ol {...keys} className="relative h-14 @4xl:h-auto @4xl:py-1">
            {lines.slice(0, shown).map((line) => (
              <Round
                key={line.round.round}
                line={line}
                ended={ended}
                current={isOf(line, current) ? current : null}
              />
            ))}
          </ol>
        </Axis>
      </nav>
    )
  },
  ({ state: before }, { state: after }) =>
    before.lastSeq === after.lastSeq && before.end === after.end,
)

/** Sets the length of the axis, also while time passes. What is inside does not render again for it. */
function Axis({
  timeline: { end, lanes },
  state: { startedAt, end: ended },
  children,
}: {
  timeline: TimelineFacts
  state: RunState
  children: ReactNode
}) {
  const now = useNow(1_000)
  const passed = (ended?.at ?? now) - (startedAt ?? now)
  return <div style={vars({ total: Math.max(1, axisAt(end, passed)), lanes })}>{children}</div>
}

/** Holds which bar can be reached with Tab; the arrow keys move to the others. */
function useOneTabStop(lines: readonly RoundLine[]) {
  const [moved, setMoved] = useState<string | null>(null)
  const [first] = lines
  const current = moved ?? (first ? roundAnchor(first.round.round) : null)
  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof HTMLAnchorElement) setMoved(target.hash.slice(1))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLOListElement>) => {
    const bars = [...event.currentTarget.querySelectorAll('a')]
    const at = event.target instanceof HTMLAnchorElement ? bars.indexOf(event.target) : -1
    const to = nextOf(event.key, at, bars.length)
    if (to === null) return
    event.preventDefault()
    bars[Math.max(0, Math.min(bars.length - 1, to))]?.focus()
  }
  return { current, onFocus, onKeyDown }
}

function nextOf(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return at + 1
    case 'ArrowUp':
    case 'ArrowLeft':
      return at - 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

function isOf({ round, calls }: RoundLine, anchor: string | null): boolean {
  return (
    anchor === roundAnchor(round.round) ||
    calls.some(({ call }) => anchor === callAnchor(call.callId))
  )
}

type RoundProps = { line: RoundLine; ended: boolean; current: string | null }

/** Shows the bars of a round and of its calls. Only the round that grows renders again. */
const Round = memo(function Round({ line, ended, current }: RoundProps) {
  const { round, notes, response } = line.round
  const anchor = roundAnchor(round)
  return (
    <>
      <Line
        anchor={anchor}
        name={roundName(line, ended)}
        took={response && formatDuration(response.latencyMs)}
        isTabStop={current === anchor}
        bars={line.bars}
        tone={tones.running}
        lane={null}
      >
        {roundTitle(line)}
        {notes.some(({ type }) => type === 'retry') && <RotateCw className={mark} aria-hidden />}
        {notes.some(({ type }) => type === 'fallback') && (
          <ArrowRightLeft className={mark} aria-hidden />
        )}
      </Line>
      {line.calls.map((callLine) => {
        const { call, bars, lane } = callLine
        const { callId, state } = call
        return (
          <Line
            key={callId}
            anchor={callAnchor(callId)}
            name={callName(callLine, ended)}
            took={state.type === 'ended' ? formatDuration(state.durationMs) : null}
            isTabStop={current === callAnchor(callId)}
            bars={bars}
            tone={tones[callWords(call, ended).pill]}
            lane={lane}
          >
            <VisibleText text={call.name} />
          </Line>
        )
      })}
    </>
  )
})

const mark = 'ml-1 inline size-3.5 align-[-2px] text-warning'

type LineProps = {
  anchor: string
  name: string
  /** null = it has not ended. */
  took: string | null
  isTabStop: boolean
  bars: readonly Bar[]
  tone: string
  /** null = it is a round. */
  lane: number | null
  children: ReactNode
}

/** Shows the bars of one round or call as a link. In the strip, all lines lie on one another, each in its lane. */
function Line({ anchor, name, took, isTabStop, bars, tone, lane, children }: LineProps) {
  const isInView = useInView(anchor)
  const show = (event: MouseEvent) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) showAnchor(anchor)
  }
  return (
    <li className="@4xl:[contain-intrinsic-size:auto_1.75rem] @4xl:[content-visibility:auto]">
      <a
        href={`#${anchor}`}
        aria-label={name}
        aria-current={isInView ? 'true' : undefined}
        title={name}
        tabIndex={isTabStop ? 0 : -1}
        onClick={show}
        className="group @max-4xl:pointer-events-none @max-4xl:absolute @max-4xl:inset-0 @4xl:flex @4xl:h-7 items-center gap-2 @4xl:rounded-sm px-1 -outline-offset-2 @max-4xl:outline-none @4xl:hover:bg-surface-2 @4xl:aria-current:bg-surface-2"
      >
        <span
          className={cn(
            'hidden w-26 shrink-0 truncate text-sm @4xl:block',
            lane === null ? 'text-normal' : 'pl-3 font-mono text-mono text-muted',
          )}
        >
          {children}
        </span>
        <span
          aria-hidden
          style={lane === null ? undefined : vars({ lane })}
          className={cn(
            'block @max-4xl:absolute @max-4xl:inset-x-0 @4xl:relative @4xl:h-3 @4xl:flex-1',
            lane === null ? '@max-4xl:top-0 @max-4xl:h-3' : strip,
          )}
        >
          {bars.map((bar) => (
            <span
              key={`${bar.kind}/${bar.from}`}
              style={{ clipPath: clipOf(bar) }}
              className={cn(
                'pointer-events-auto absolute inset-0 block group-focus-visible:bg-link',
                !isInView && 'opacity-60 group-hover:opacity-100 group-focus-visible:opacity-100',
                ownTones[bar.kind] ?? tone,
              )}
            />
          ))}
        </span>
        <span className="numeric hidden w-13 shrink-0 text-right text-muted text-xs @4xl:block">
          {took}
        </span>
      </a>
    </li>
  )
}

/** Position of a call in the strip: the lanes share the space below the rounds. */
const strip =
  '@max-4xl:top-4 @max-4xl:h-[calc(min(0.5rem,2.5rem/var(--lanes))-1px)] @max-4xl:translate-y-[calc(var(--lane)*min(0.5rem,2.5rem/var(--lanes)))]'
