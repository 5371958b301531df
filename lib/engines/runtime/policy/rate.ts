import type { Denial } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'
import type { Gate, ToolRate } from './subject'

/** Returns why no call of the tool may start now; null = one may, or the use is not known. */
export function rateRefusal({ perMinute, perRun, use }: ToolRate): string | null {
  if (use === null) return null
  if (perRun !== null && use.inRun >= perRun) {
    return `At most ${countOf(perRun, 'call')} of it may start in one run, and ${use.inRun} did. No other call of it starts in this run.`
  }
  if (perMinute === null || use.inMinute < perMinute) return null
  const seconds = Math.max(1, Math.ceil((use.waitMs ?? 0) / 1_000))
  return `At most ${countOf(perMinute, 'call')} of it may start in a minute, for all runs of this site, and ${use.inMinute} did. The next one may start in ${countOf(seconds, 'second')}.`
}

/** Returns the refusal of a call by the limit of its tool, which the model reads, too; null = it may start. */
export function rateDenial(rate: ToolRate): Denial | null {
  const reason = rateRefusal(rate)
  return reason === null ? null : { allowed: false, gate: 'rate', reason, told: reason }
}

/** Returns what is used of a limit: "3 of 10 calls in the last minute"; null = it was not read. */
export function rateWords({ perMinute, perRun, use }: ToolRate): string | null {
  if (use === null) return null
  const parts = [
    ...(perMinute === null
      ? []
      : [`${use.inMinute} of ${countOf(perMinute, 'call')} in the last minute`]),
    ...(perRun === null ? [] : [`at most ${countOf(perRun, 'call')} in one run`]),
  ]
  return parts.join(' and ')
}

/** Gate 12: how often the tool may be called. What is used is counted where a call starts, and read to explain. */
export const rate: Gate = {
  name: 'rate',
  denies: ({ name }, { rates }) => {
    const own = rates.get(name)
    return own ? rateRefusal(own) : null
  },
}
