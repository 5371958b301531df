'use client'
import { memo, type ReactNode } from 'react'
import { clipOf, ownTones, tones, vars } from '@/components/trace/bars'
import { Elapsed } from '@/components/trace/elapsed'
import type { RunStates } from '@/components/trace/use-runs-events'
import { VisibleText } from '@/components/trace/visible-text'
import { cn } from '@/components/ui/cn'
import { Cost } from '@/components/ui/cost'
import { useNow } from '@/components/ui/use-now'
import { runCostBound } from '@/lib/protocol/cost/cost'
import { workOf } from '@/lib/protocol/panel/panel'
import { type Lane, type LaneBar, lanesOf } from '@/lib/protocol/panel/panel-lanes'
import type { PanelMember, PanelStart } from '@/lib/protocol/panel/panel-start'
import { roleTitle } from '@/lib/protocol/panel/role-words'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { axisAt, type TimelinePoint } from '@/lib/protocol/run/run-timeline'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatDuration } from '@/lib/words/format'
import { memberAnchor } from './member-column'
import { MemberPill } from './member-pill'

type Props = {
  start: PanelStart
  states: RunStates
  /** When the panel began and ended, ms since 1970; `endedAt` null = it goes on. */
  since: number
  endedAt: number | null
}

/**
 * Shows a coordination as one picture: a lane for each role, over the time in which any of them worked. Each leads to its column. All
 * lanes are there from the beginning, so that nothing moves.
 */
export const Lanes = memo(
  function Lanes({ start: { members }, states, since, endedAt }: Props) {
    const { lanes, end } = lanesOf(members, states, since)
    return (
      <section aria-labelledby="lanes" className="@container rounded-md border bg-surface-1 p-3">
        <h2 id="lanes" className="text-base">
          Roles over time
        </h2>
        <Axis end={end} since={since} endedAt={endedAt}>
          <ol className="mt-1 flex flex-col @max-4xl:gap-1.5">
            {lanes.map((lane, place) => {
              const member = members[place]
              if (!member) return null
              const isNextStage = place > 0 && member.role !== members[place - 1]?.role
              return (
                <li
                  // biome-ignore lint/suspicious/noArrayIndexKey: the members of a panel never change
                  key={place}
                  className={cn(isNextStage && 'border-t @max-4xl:pt-1.5 @4xl:mt-1 @4xl:pt-1')}
                >
                  <LaneRow
                    lane={lane}
                    member={member}
                    place={place}
                    state={states.get(member.runId ?? '')}
                    title={roleTitle(members, place)}
                    waitsFor={waitsFor(members, place)}
                    waitsNow={waitsNow(members, place, states)}
                  />
                </li>
              )
            })}
          </ol>
        </Axis>
        <p className="mt-2 text-muted text-xs">
          Light: first token. Green: tool. Red: failed or denied. Striped: approval. Dotted: its
          turn.
        </p>
      </section>
    )
  },
  (before, after) =>
    before.start === after.start &&
    before.endedAt === after.endedAt &&
    seqsOf(before.states) === seqsOf(after.states),
)

/** Changes with events, never with pieces of an answer. */
function seqsOf(states: RunStates): string {
  return [...states.values()].map(({ lastSeq }) => lastSeq).join()
}

/** Sets the length of the axis, also while time passes. What is inside does not render again for it. */
function Axis({
  end,
  since,
  endedAt,
  children,
}: Pick<Props, 'since' | 'endedAt'> & { end: TimelinePoint; children: ReactNode }) {
  const now = useNow(1_000)
  const total = axisAt(end, (endedAt ?? now) - since)
  return <div style={vars({ total: Math.max(1, total) })}>{children}</div>
}

/** Returns the roles before a member, whose texts it gets; null = it is the first. */
function waitsFor(members: readonly PanelMember[], place: number): string | null {
  const role = members[place]?.role
  if (role === 'critic') return 'the proposer'
  if (role !== 'synthesizer') return null
  const critics = members.filter((each) => each.role === 'critic').length
  return critics === 1 ? 'the critic' : `${critics} critics`
}

/** Returns the roles before a member that have not ended: the last critic by its name. */
function waitsNow(members: readonly PanelMember[], place: number, states: RunStates) {
  const critics = members.flatMap(({ role }, at) => (role === 'critic' ? [at] : []))
  const [open, ...more] = critics.filter((at) => {
    const { runId = null, refusal = null } = members[at] ?? {}
    return refusal === null && !states.get(runId ?? '')?.end
  })
  const isLast = members[place]?.role === 'synthesizer' && critics.length > 1 && more.length === 0
  return isLast && open !== undefined ? roleTitle(members, open) : waitsFor(members, place)
}

type RowProps = {
  lane: Lane
  member: PanelMember
  place: number
  title: string | null
  state: RunState | undefined
  /** For whom it waited, and for whom it still waits. */
  waitsFor: string | null
  waitsNow: string | null
}

/** Shows one role as a line where there is room, else as three. */
function LaneRow({ lane, member, place, title, state, waitsFor, waitsNow }: RowProps) {
  const { name, refusal } = member
  const { beganAt } = lane
  return (
    <a
      href={`#${memberAnchor(place)}`}
      className="group grid @4xl:h-8 grid-cols-[minmax(0,1fr)_auto] @4xl:grid-cols-[13rem_minmax(0,1fr)_11rem_4rem_6.5rem_7rem] items-center gap-x-3 gap-y-1 rounded-sm px-1 -outline-offset-2 hover:bg-surface-2"
    >
      <span className="truncate text-normal group-hover:text-link" title={visibleText(name)}>
        {title}: <VisibleText text={name} />
      </span>
      <span className="min-w-0 justify-self-start @max-4xl:justify-self-end @4xl:order-2">
        <MemberPill member={member} state={state} />
      </span>
      <span className="relative block @4xl:order-1 @max-4xl:col-span-2 h-4 rounded-sm bg-surface-2">
        <Track lane={lane} />
        {state === undefined && refusal === null && waitsNow !== null && (
          <span className="absolute inset-x-2 truncate text-muted text-xs leading-4">
            Waits for {waitsNow}
          </span>
        )}
        {refusal !== null && (
          <span
            className="absolute inset-x-2 truncate text-error text-xs leading-4"
            title={visibleText(refusal)}
          >
            <VisibleText text={refusal} />
          </span>
        )}
      </span>
      <span
        className={cn(
          'numeric @4xl:contents flex flex-wrap gap-x-3 whitespace-nowrap @max-4xl:col-span-2 text-muted text-xs [&>*]:@4xl:order-3 [&>*]:@4xl:text-right',
          !state && '@max-4xl:invisible',
        )}
      >
        <span>
          {waitsFor !== null && beganAt !== null && (
            <span className="sr-only">
              , waited {formatDuration(beganAt)} for {waitsFor}, worked{' '}
            </span>
          )}
          {state ? <Took state={state} /> : '-'}
        </span>
        <span>
          {state ? countOf(state.usage.inputTokens + state.usage.outputTokens, 'token') : '-'}
        </span>
        <span>
          {state ? <Cost microUsd={state.costMicroUsd} bound={runCostBound(state)} /> : '-'}
        </span>
      </span>
    </a>
  )
}

function Took({ state }: { state: RunState }) {
  const { startedAt, waitingSince, waitedMs } = state
  const workMs = workOf(state)
  if (workMs !== null || startedAt === null) return formatDuration(workMs ?? 0)
  if (waitingSince !== null) return formatDuration(Math.max(0, waitingSince - startedAt - waitedMs))
  return <Elapsed since={startedAt + waitedMs} />
}

/** Shows how long a role waited for its turn, then its bars. */
function Track({ lane: { left, bars } }: { lane: Lane }) {
  return (
    <span aria-hidden>
      {left !== null && left > 0 && (
        <span
          style={{ clipPath: clipOf({ left: 0, right: left }) }}
          className="absolute inset-x-0 top-1/2 border-line border-t-2 border-dotted"
        />
      )}
      {bars.map((bar) => (
        <span
          key={`${bar.kind}/${bar.from}/${bar.to}`}
          style={{ clipPath: clipOf(bar) }}
          className={cn('absolute inset-0 block rounded-sm', toneOf(bar))}
        />
      ))}
    </span>
  )
}

function toneOf({ kind, isProblem }: LaneBar): string {
  const own = ownTones[kind]
  if (own) return own
  if (kind !== 'running') return tones.running
  return isProblem ? tones.error : tones.ok
}
