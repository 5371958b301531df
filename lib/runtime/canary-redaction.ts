import { type AskedInText, callTag } from '@/lib/protocol/asked-in-text'
import type { ModelFinish, WireToolCall } from '@/lib/protocol/model-event'
import { argumentsCarryCanary, redactedArguments, redactionMark } from './canary-arguments'
import { searchCanary } from './canary-search'
import type { Spelling } from './canary-spellings'

/** A model's turn without the canary; the places it stood in, in words; and which of its calls carried it. */
export type Redaction = { finish: ModelFinish; places: string[]; calls: ReadonlySet<number> }

/** Takes the canary out of everything a model wrote in one turn. */
export function redactFinish(finish: ModelFinish, spellings: readonly Spelling[]): Redaction {
  const places: string[] = []
  const clean = (text: string, place: string): string => {
    const redacted = redactCanary(text, spellings)
    if (redacted !== text) places.push(place)
    return redacted
  }
  const text = clean(finish.text, 'its answer')
  const reasoning = finish.reasoning.map((block) => ({
    ...block,
    text: clean(block.text, 'its reasoning'),
  }))
  const calls = new Set<number>()
  const toolCalls = finish.toolCalls.map((call, index) => {
    if (!isCarrier(call, spellings)) return call
    calls.add(index)
    const name = redactCanary(call.name, spellings)
    places.push(`a call of ${name}`)
    return { id: null, name, argumentsText: redactedArguments }
  })
  const inText = finish.inText && redactAsk(finish.inText, toolCalls[0], calls.size > 0, clean)
  const redacted = { ...finish, text, reasoning, toolCalls, ...(inText && { inText }) }
  return { finish: redacted, places, calls }
}

/** The request as the model wrote it. Of a call that carried the canary, in whatever spelling, only what is left of it. */
function redactAsk(
  { tag, after, fault }: AskedInText,
  call: WireToolCall | undefined,
  isCarrier: boolean,
  clean: (text: string, place: string) => string,
): AskedInText {
  return {
    tag: isCarrier && call ? callTag(call) : clean(tag, 'its answer'),
    after: clean(after, 'its answer'),
    fault,
  }
}

/** The text with a mark for each canary in it; the very same text when there is none. */
export function redactCanary(text: string, spellings: readonly Spelling[]): string {
  return redactRanges(text, searchCanary(text, spellings, { whole: true }).found)
}

export function redactRanges(
  text: string,
  ranges: readonly { from: number; to: number }[],
): string {
  let redacted = ''
  let at = 0
  for (const { from, to } of ranges) {
    redacted += text.slice(at, from) + redactionMark
    at = to
  }
  return at === 0 ? text : redacted + text.slice(at)
}

function isCarrier(call: WireToolCall, spellings: readonly Spelling[]): boolean {
  const { found } = searchCanary(`${call.name} ${call.id ?? ''}`, spellings, { whole: true })
  return found.length > 0 || argumentsCarryCanary(call.argumentsText, spellings)
}
