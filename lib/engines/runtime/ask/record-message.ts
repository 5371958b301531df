import {
  argumentsCarryCanary,
  canaryDenial,
  redactFinish,
  type Spelling,
  spellingsOf,
} from '@/lib/engines/runtime/call/canary'
import { checkOutput, outputSchemaOf } from '@/lib/engines/runtime/output-check'
import {
  denied,
  type RunStep,
  recordCallEnd,
  startOf,
  targetAt,
  warn,
} from '@/lib/engines/runtime/run-step'
import { type SentRequest, usageOf } from '@/lib/engines/runtime/spend/usage-of'
import { warnOfCostCaps } from '@/lib/engines/runtime/spend/warn-of-cost-caps'
import { costMicroUsd } from '@/lib/protocol/cost/cost'
import type { ProviderFailure } from '@/lib/protocol/model/failure'
import {
  type AskedInText,
  type ModelFinish,
  openTag,
  type ToolCall,
  type WireToolCall,
} from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RoundView } from '@/lib/protocol/run/round-view'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import type { ToolSpec } from '@/lib/protocol/tool'
import { cleanArguments, cleanName, cleanText } from '@/lib/words/clean-text'
import { asksInText, warnOfFurtherCalls } from './prompted-mode'
import type { Streamed } from './stream-reply'

type Answer = {
  round: number
  target: number
  /** Tools that this request offered. */
  tools: readonly ToolSpec[]
  sent: SentRequest
  /** `failure` not null = the answer broke off. */
  reply: Streamed & { finish: ModelFinish; failure: ProviderFailure | null }
  /** Reservation of the budgets for it; null: no budget counts it. */
  reservationId: string | null
}

type WarningCode = RunEventOf<'warning'>['data']['code']

/** Records the answer of a round with its usage and cost, and warns of irregularities (SPEC R12, R14, R15b). */
export function recordMessage(step: RunStep, answer: Answer): void {
  const state = step.state()
  const target = targetAt(step.state(), answer.target)
  const { round, reply } = answer
  const spellings = spellingsOf(step)
  const { finish, places, calls: carriers } = redactFinish(reply.finish, spellings)
  const { calls, changed, rekeyed } = keyCalls(finish.toolCalls, state.rounds, step.deps.newId)
  const { inText } = finish
  // A request in text has no id that could have changed.
  const hasMore = inText !== undefined && inText.after.trim() !== ''
  const isChanged = (changed && !inText && !finish.nativeInOrder) || hasMore || places.length > 0
  const native = nativeOf(reply, spellings, { isChanged })
  const usage = usageOf(reply, answer.sent)
  const message = {
    type: 'message' as const,
    data: {
      round,
      target: answer.target,
      text: cleanText(finish.text),
      reasoning: finish.reasoning.map((block) => ({ ...block, text: cleanText(block.text) })),
      toolCalls: calls,
      ...(inText && { inText: cleanAsk(inText) }),
      ...outputOf(state, finish),
      finishReason: finish.finishReason,
      usage,
      costMicroUsd: costMicroUsd(usage, target.prices),
      latencyMs: reply.latencyMs,
      firstTokenMs: reply.firstTokenMs,
      retries: reply.resent,
      ...(answer.reservationId !== null && { reservationId: answer.reservationId }),
      ...(reply.failure && { errorCategory: reply.failure.category }),
    },
  }
  step.record(message, native.text)

  const warnOf = (code: WarningCode, message: string) => warn(step, { round, code, message })
  if (rekeyed)
    warnOf(
      'duplicate-call-id',
      'The provider used one call id twice. The calls were given new ids.',
    )
  if (inText?.after.includes(openTag)) warnOfFurtherCalls(step, round)
  if (native.isTooLarge) warnOf('native-too-large', tooLargeWords)
  if (usage.estimated && !finish.usage?.estimated && finish.finishReason !== 'cut') {
    warnOf(
      'usage-missing',
      'The provider sent no usable token counts. Tokens and cost are estimates.',
    )
  }
  const unconfirmed = toolsUnconfirmed(state, target, answer)
  if (unconfirmed) warnOf('tools-unconfirmed', unconfirmed)
  if (places.length > 0) warnOf('canary', canaryWords(places, carriers.size))
  warnOfCostCaps(step, { round, before: state.costMicroUsd })
  refuseCarriers(step, carriers)
}

/** Returns the issues of a final answer that must fit a schema; none for an incomplete answer or one with calls. */
function outputOf(
  state: RunState,
  { text, toolCalls, finishReason }: ModelFinish,
): { outputErrors?: string[] } {
  const schema = outputSchemaOf(startOf(state).snapshot)
  if (!schema) return {}
  if (finishReason === 'stop') return { outputErrors: checkOutput(schema, cleanText(text)) }
  const closing = state.rounds.at(-1)?.closing ?? false
  if (!closing || toolCalls.length === 0) return {}
  const wrote = text.trim() !== ''
  const askedForTool = 'The model asked for a tool instead of answering.'
  return { outputErrors: wrote ? checkOutput(schema, cleanText(text)) : [askedForTool] }
}

function cleanAsk({ tag, after, fault }: AskedInText): AskedInText {
  return { tag: cleanText(tag), after: cleanText(after), fault }
}

/** More of a provider's own parts is not kept (SPEC R15c). */
const largestNative = 1024 * 1024

const tooLargeWords =
  'The provider sent more than 1 MiB of its own data beside this answer. It was not kept, so later rounds send the answer without it. The model may lose its earlier reasoning.'

/**
 * Returns the answer as its provider wrote it, if it may be sent back: not of an answer that was cut, nor when the
 * portable form has other ids or lost the canary, and never what a database cannot store unchanged.
 */
function nativeOf(
  { finish, failure }: Answer['reply'],
  spellings: readonly Spelling[],
  { isChanged }: { isChanged: boolean },
): { text?: string; isTooLarge: boolean } {
  const { native: text, finishReason } = finish
  const isWhole = failure === null && (finishReason === 'stop' || finishReason === 'tool-calls')
  if (text === undefined || !isWhole || isChanged) return { isTooLarge: false }
  if (text.includes('\0') || !text.isWellFormed()) return { isTooLarge: false }
  if (Buffer.byteLength(text) > largestNative) return { isTooLarge: true }
  if (argumentsCarryCanary(text, spellings)) return { isTooLarge: false }
  return { text, isTooLarge: false }
}

function canaryWords(places: readonly string[], refused: number): string {
  const kept =
    refused > 0 ? 'It was removed, and the call that contained it did not run.' : 'It was removed.'
  return `The model repeated the hidden mark of untrusted content, in ${[...new Set(places)].join(' and ')}. ${kept} A tool result may be steering the model. Read the results before this answer.`
}

/**
 * Ends the calls with the canary in the same batch as their message, so that nobody is asked to approve them and
 * nothing can run them.
 */
function refuseCarriers(step: RunStep, carriers: ReadonlySet<number>): void {
  if (carriers.size === 0) return
  const calls = step.state().rounds.at(-1)?.calls ?? []
  calls.forEach((call, index) => {
    if (carriers.has(index)) recordCallEnd(step, call, denied(canaryDenial), step.deps.now())
  })
}

/**
 * Returns the warning about a model that called no tool in the whole run although it had tools or should have had them
 * (SPEC R15b).
 */
function toolsUnconfirmed(
  state: RunState,
  target: ModelTarget,
  { reply, tools }: Answer,
): string | null {
  if (target.toolCalling === 'confirmed' || reply.finish.finishReason !== 'stop') return null
  if (reply.finish.toolCalls.length > 0 || state.rounds.some((round) => round.calls.length > 0))
    return null
  const known = `Models known to call tools: ${toolCallers[target.wire]}.`
  if (asksInText(startOf(state).snapshot, target)) {
    return tools.length > 0
      ? `${target.modelId} was offered tools in text but asked for none. Models that have tool calling use tools more reliably. ${known}`
      : null
  }
  if (target.toolCalling === 'unsupported') {
    return startOf(state).accepted.length > 0
      ? `${target.modelId} cannot call tools, so none were sent. With tool mode Automatic or Prompted it can ask for them in text. ${known}`
      : null
  }
  return tools.length > 0
    ? `${target.modelId} was offered tools but called none. It is not known whether it can call tools. ${known}`
    : null
}

/** Examples of models that call tools, by wire, for people whose model did not (SPEC R15b). */
const toolCallers: Record<ModelTarget['wire'], string> = {
  openai: 'GPT-4o, GPT-4.1 and later, o3 and later',
  anthropic: 'Claude 3 and later',
  ollama: 'llama3.1 and later, qwen2.5 and later, qwen3, mistral-small, gpt-oss',
  'openai-compatible': 'Llama 3.1 and later, Qwen 2.5 and later, Mistral Small and Large',
  bedrock: 'Claude 3 and later, Amazon Nova, Llama 3.1 and later, Mistral Large, gpt-oss',
  gemini: 'Gemini 1.5 and later',
  demo: 'the demo, for the example prompts of the Playground',
  'azure-openai': 'GPT-4o, GPT-4.1 and later, o3 and later',
}

/** The pattern of call ids that every wire accepts. */
const usableId = /^[\w.:-]{1,200}$/

/**
 * Gives each call of a response our id and an id for the wire that is unique in the run: missing and unusable ids are
 * generated, duplicates replaced (SPEC R12). Missing arguments become `{}` (SPEC R11). `changed`: some call lost the id
 * of its provider; `rekeyed`: because of a duplicate.
 */
function keyCalls(
  wireCalls: readonly WireToolCall[],
  earlier: readonly RoundView[],
  newId: () => string,
): { calls: ToolCall[]; changed: boolean; rekeyed: boolean } {
  if (wireCalls.length === 0) return { calls: [], changed: false, rekeyed: false }
  const taken = new Set<string>()
  const isTaken = (id: string) =>
    taken.has(id) || earlier.some(({ calls }) => calls.some((call) => call.providerCallId === id))
  let changed = false
  let rekeyed = false
  const calls = wireCalls.map(({ id, name, argumentsText }): ToolCall => {
    const callId = newId()
    const isUsable = id !== null && usableId.test(id)
    const isDuplicate = isUsable && isTaken(id)
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
