import type { StopReason } from '@/lib/engines/runtime/deps'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import type { Recording } from './recording'
import type { VirtualClock } from './virtual-clock'

/** Stop of the run by a person, a fault of the server, or a right that is still gone. */
export type Stop = { signal: AbortSignal; exists: boolean; now: () => void }

/**
 * Opens the stop of a run, which comes when it came then. A freeze is left out, and a right that is back stops nothing: then the
 * run would have gone on.
 */
export function openStop(
  { end, startedAt }: Recording,
  { revoked }: Subject,
  clock: VirtualClock,
): Stop {
  const controller = new AbortController()
  const reason = stopOf(end, revoked)
  const now = () => reason && controller.abort(reason)
  // Within the millisecond of the end, what the journal has before it comes first.
  if (reason) clock.after(Math.max(0, end.at - startedAt) + 0.5, now)
  return { signal: controller.signal, exists: reason !== null, now }
}

function stopOf(
  { reason, message }: Recording['end'],
  { run, targets }: Subject['revoked'],
): StopReason | null {
  switch (reason) {
    case 'cancelled':
      return { type: 'cancelled', by: message, reason: '' }
    case 'revoked': {
      const isGone = run !== null || targets.some((target) => target !== null)
      return isGone ? { type: 'revoked', reason: message } : null
    }
    case 'internal-error':
      return { type: 'went-back', reason: message }
    default:
      return null
  }
}
