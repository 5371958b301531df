import { type AskedInText, callTag } from '@/lib/protocol/asked-in-text'
import type { ModelFinish, WireToolCall } from '@/lib/protocol/model-event'
import type { Denial } from '@/lib/protocol/outcome'
import type { CallView } from '@/lib/protocol/round-view'
import { canarySpellings, type Spelling, searchCanary } from './canary-search'
import { type RunStep, startOf } from './run-step'

/** Stands where a model wrote the canary: in journal, page, exports and the next request (SPEC T7). */
export const redactionMark = '[redacted: canary]'

/** What is kept of arguments that carried the canary: JSON, so that every wire takes it. */
export const redactedArguments = JSON.stringify({ redacted: redactionMark })

export const canaryDenial: Denial = {
  allowed: false,
  gate: 'canary',
  reason:
    'Its arguments contained the canary that marks untrusted content, so a tool result may be steering the model. The arguments were not stored, and the call did not run.',
}

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
  return redactRanges(text, searchCanary(text, spellings).found)
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
  const { found } = searchCanary(`${call.name} ${call.id ?? ''}`, spellings)
  return found.length > 0 || argumentsCarryCanary(call.argumentsText, spellings)
}

/** Whether a call that is about to begin carries its run's canary, whoever wrote its arguments. */
export function callCarriesCanary(step: RunStep, { argumentsText }: CallView): boolean {
  return argumentsCarryCanary(argumentsText, canarySpellings(startOf(step.state()).canary))
}

/** Whether arguments carry the canary: anywhere in their text, or its parts in one value after the other. */
export function argumentsCarryCanary(text: string, spellings: readonly Spelling[]): boolean {
  if (text === redactedArguments) return true
  if (spellings.length === 0) return false
  const { names, values } = leavesOf(text)
  return [text, values.join(''), names.join('')].some(
    (each) => searchCanary(each, spellings).found.length > 0,
  )
}

/** The names and plain values of JSON text in their order; none when it is no JSON. */
function leavesOf(text: string): { names: string[]; values: string[] } {
  const names: string[] = []
  const values: string[] = []
  const open = [parsed(text)]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string' || typeof value === 'number') values.push(String(value))
    if (typeof value !== 'object' || value === null) continue
    // One by one: a list may hold more items than a call takes arguments.
    if (!Array.isArray(value)) for (const name of Object.keys(value)) names.push(name)
    for (const inner of Object.values(value).reverse()) open.push(inner)
  }
  return { names, values }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
