import { cleanArguments, cleanName } from '@/lib/protocol/clean-text'
import type { ToolCall } from '@/lib/protocol/message'
import type { WireToolCall } from '@/lib/protocol/model-event'
import type { RoundView } from '@/lib/protocol/round-view'

/** The pattern of call ids that every wire accepts. */
const usableId = /^[\w.:-]{1,200}$/

/**
 * Gives each call of a response our id and an id for the wire that is unique in the run: missing and unusable ids are
 * generated, duplicates replaced (SPEC R12). Missing arguments become `{}` (SPEC R11). `changed`: some call lost the id
 * of its provider; `rekeyed`: because of a duplicate.
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
