import type { RunState } from '@/lib/protocol/run/fold-run'
import type { CallView } from '@/lib/protocol/run/round-view'
import {
  axisStart,
  type Bar,
  isWork,
  merged,
  openAxis,
  type TimelinePoint,
  timelineOf,
} from '@/lib/protocol/run/run-timeline'
import type { PanelMember } from './panel-start'

/** When one role of a coordination worked. Times are in ms since the panel began. */
export type Lane = {
  /** null = it has not begun. */
  beganAt: number | null
  /** Start on the axis of the picture; null: it has not begun. */
  left: number | null
  bars: LaneBar[]
}

/** `isProblem`: it is of a call that was denied or failed. */
export type LaneBar = Bar & { isProblem: boolean }

/** A lane for each member, in their order, on one axis: that of work, as in the picture of a run. */
export type Lanes = { lanes: Lane[]; end: TimelinePoint }

/** Returns the picture of a coordination. `zero`: when the panel began, ms since 1970. */
export function lanesOf(
  members: readonly Pick<PanelMember, 'runId'>[],
  states: ReadonlyMap<string, RunState>,
  zero: number,
): Lanes {
  const spans = members.map(({ runId }) => {
    const state = states.get(runId ?? '')
    const beganAt = state?.startedAt == null ? null : Math.max(0, state.startedAt - zero)
    const bars = state && beganAt !== null ? barsOf(state) : []
    return {
      beganAt,
      spans: bars.map(({ kind, isProblem, from, to }) => ({
        kind,
        isProblem,
        from: from + (beganAt ?? 0),
        to: to === null ? null : to + (beganAt ?? 0),
      })),
    }
  })
  const work = merged(spans.flatMap((lane) => lane.spans).filter(isWork))
  const { onAxis, after } = openAxis(axisStart, work)
  const lanes = spans.map((lane) => ({
    beganAt: lane.beganAt,
    left: lane.beganAt === null ? null : onAxis(lane.beganAt),
    bars: lane.spans.map((span) => ({
      ...span,
      left: onAxis(span.from),
      right: span.to === null ? null : onAxis(span.to),
    })),
  }))
  return { lanes, end: after }
}

/** Returns what a run did and waited for, on one line: its rounds, and their calls over them. */
function barsOf(state: RunState): LaneBar[] {
  return timelineOf(state).lines.flatMap(({ bars, calls }) => [
    ...bars.map((bar) => ({ ...bar, isProblem: false })),
    ...calls.flatMap(({ call, bars: ofCall }) =>
      ofCall.map((bar) => ({ ...bar, isProblem: endedBadly(call) })),
    ),
  ])
}

function endedBadly({ state }: CallView): boolean {
  return state.type === 'ended' && state.outcome.type !== 'ok'
}
