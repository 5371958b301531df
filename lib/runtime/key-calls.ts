import { cleanArguments, cleanName } from '@/lib/protocol/clean-text'
import type { ToolCall } from '@/lib/protocol/message'
import type { WireToolCall } from '@/lib/protocol/model-event'
import type { RoundView } from '@/lib/protocol/round-view'

/** What every wire takes as an id of a call. */
const usableId = /^[\w.:-]{1,200}$/

/**
 * Gives each call of a response our id and one for the wire that no other call of the run has: missing and unusable
 * ids are made up, duplicates replaced (SPEC R12). No arguments are `{}` (SPEC R11). `changed`: not every call has the id
 * that its provider gave it; `rekeyed`: because of a duplicate.
 */
export function keyCalls(
  wireCalls: readonly WireToolCall[],
  earlier: readonly RoundView[],
  newId: () => string,
): { calls: ToolCall[]; changed: boolean; rekeyed: boolean } {
  if (wireCalls.length === 0) return { calls: [], changed: false, rekeyed: false }
  const taken = new Set(earlier.flatMap((round) => round.calls.map((call) => call.providerCallId)))
  let changed = false
  let rekeyed = false
  const calls = wireCalls.map(({ id, name, argumentsText }): ToolCall => {
    const callId = newId()
    const isUsable = id !== null && usableId.test(id)
    const isDuplicate = isUsable && taken.has(id)
    rekeyed ||= isDuplicate
    const providerCallId = isUsable && !isDuplicate ? id : `call_${callId.replaceAll('-', '')}`
    changed ||= providerCallId !== id
    taken.add(providerCallId)
    return {
      callId,
      providerCallId,
      name: cleanName(name),
      argumentsText: argumentsText.trim() === '' ? '{}' : cleanArguments(argumentsText),
    }
  })
  return { calls, changed, rekeyed }
}
