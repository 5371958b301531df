import { minuteMs, offsetOf } from '@/lib/words/time-zone'

/** A change to summer time. `at`: the first moment after it. The clock went from `from` to `until`, as UTC milliseconds. */
export type ClockJump = { at: Date; from: number; until: number }

const dayMs = 86_400_000
/** No zone changes its clock back so soon after it was put forward. */
const strideMs = 7 * dayMs

/** Returns the moments between two times (`from` and `to` excluded) at which the clock of a zone jumps forward. */
export function clockJumps(timeZone: string, from: Date, to: Date): ClockJump[] {
  const offset = offsetOf(timeZone)
  const jumps: ClockJump[] = []
  const end = to.getTime()
  for (let start = from.getTime(); start < end; start += strideMs) {
    const [before, after] = [offset(start), offset(Math.min(end, start + strideMs))]
    if (after <= before) continue
    const at = firstWith(after, start, Math.min(end, start + strideMs), offset)
    if (at < end) jumps.push({ at: new Date(at), from: at + before, until: at + after })
  }
  return jumps
}

/** Returns the first whole minute after `start` at which the zone has this offset. */
function firstWith(
  wanted: number,
  start: number,
  end: number,
  offset: (at: number) => number,
): number {
  let [before, after] = [Math.floor(start / minuteMs), Math.ceil(end / minuteMs)]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offset(middle * minuteMs) === wanted) after = middle
    else before = middle
  }
  return after * minuteMs
}
