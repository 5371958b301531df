import type { RunState } from './fold-run'
import type { PanelMember } from './panel-start'
import {
  axisStart,
  type Bar,
  isWork,
  merged,
  openAxis,
  type Place,
  timelineOf,
} from './run-timeline'

/** When one role of a coordination worked. Times are in ms since the panel began. */
export type Lane = {
  /** null = it has not begun. */
  beganAt: number | null
  /** Where it began on the axis of the picture; null = it has not. */
  left: number | null
  bars: Bar[]
}

/** A lane for each member, in their order, on one axis: that of work, as in the picture of a run. */
export type Lanes = { lanes: Lane[]; end: Place }

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
      spans: bars.map(({ kind, from, to }) => ({
        kind,
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
function barsOf(state: RunState): Bar[] {
  return timelineOf(state).lines.flatMap(({ bars, calls }) => [
    ...bars,
    ...calls.flatMap((call) => call.bars),
  ])
}
