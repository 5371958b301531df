import { setTimeout as sleep } from 'node:timers/promises'
import { classifyFailure } from '@/lib/engines/providers/failures/classify-failure'
import type { Provider, ProviderOptions } from '@/lib/engines/providers/provider'
import type { Usage } from '@/lib/protocol/cost/money'
import type { ModelEvent, ModelFinish, ModelRequest } from '@/lib/protocol/model/message'
import { demoAnswer, failedChecks, isAtALoss } from './demo-answer'
import { asAsked } from './demo-envelope'
import { newestTurn, nextDemoCalls, promptOf } from './demo-script'

/** The demo reaches nothing. */
const nothing = {
  baseUrl: null,
  apiKey: null,
  settings: {},
  organisation: null,
  headers: {},
  privateAddressAllowed: false,
  publicAddressRefused: false,
}

/** Simulated speed, in milliseconds. */
type Pace = { startMs: number; pieceMs: number }

/**
 * Returns the built-in demo provider: a script, not a language model. It needs no key and no network. For a sample
 * prompt it calls the offered tools of its script, for `Use NAME {json}` and known sentences the tools that they ask for,
 * and answers from their results. For any other prompt it says what it can do. With `isTry`, it calls also when no tool is
 * offered.
 */
export function demoProvider(
  options: Pick<ProviderOptions, 'newId' | 'onIncident'>,
  pace: Pace = { startMs: 250, pieceMs: 18 },
  isTry = false,
): Provider {
  return {
    stream: async function* (request, signal): AsyncGenerator<ModelEvent, void> {
      let last: ModelEvent
      try {
        last = yield* streamDemo(request, signal, pace, isTry)
      } catch (error) {
        const failure = classifyFailure(error, 'demo', { ...options, ...nothing }, signal.aborted)
        last = { type: 'error', failure }
      }
      yield last
    },
  }
}

async function* streamDemo(
  request: ModelRequest,
  signal: AbortSignal,
  pace: Pace,
  isTry: boolean,
): AsyncGenerator<ModelEvent, ModelFinish> {
  await sleep(pace.startMs, undefined, { signal })
  const messages = newestTurn(request.messages)
  const calls = nextDemoCalls(messages, request.tools, isTry)
  const why = reasonFor(calls)
  for (const text of pieces(why)) {
    await sleep(pace.pieceMs, undefined, { signal })
    yield { type: 'reasoning-delta', text }
  }
  for (const [index, call] of calls.entries()) {
    for (const argumentsText of call.argumentsText.match(/[\s\S]{1,8}/g) ?? []) {
      await sleep(pace.pieceMs, undefined, { signal })
      yield { type: 'tool-call-delta', index, name: call.name, argumentsText }
    }
  }
  const answer = calls.length > 0 ? '' : demoAnswer(messages, request.tools)
  const { proposal } = promptOf(messages)
  const said = {
    text: answer,
    proposal,
    objections: failedChecks(messages),
    isAtALoss: isAtALoss(messages, request.tools),
  }
  const whole = answer === '' ? '' : asAsked(request.system, said)
  const text = withinLimit(whole, request.parameters.maxOutputTokens)
  for (const piece of pieces(text)) {
    await sleep(pace.pieceMs, undefined, { signal })
    yield { type: 'text-delta', text: piece }
  }
  return {
    type: 'finish',
    finishReason: calls.length > 0 ? 'tool-calls' : text.length < whole.length ? 'length' : 'stop',
    text,
    reasoning: why === '' ? [] : [{ text: why, signature: null, redacted: false }],
    toolCalls: calls.map(({ id, name, argumentsText }) => ({ id, name, argumentsText })),
    usage: estimateUsage(
      request,
      why,
      text + calls.map((call) => call.name + call.argumentsText).join(''),
    ),
  }
}

/** Says which tools are called, and which arguments the prompt did not give. */
function reasonFor(calls: ReturnType<typeof nextDemoCalls>): string {
  if (calls.length === 0) return ''
  const names = calls.map(({ name }) => name).join(' and ')
  const filled = calls.flatMap((call) => call.filled ?? [])
  const why = `For this prompt, the script of the demo calls ${names}.`
  return filled.length === 0
    ? why
    : `${why} The prompt does not say ${filled.join(', ')}, so the example of the tool stands in.`
}

/** Returns words, each with the space after it. */
function pieces(text: string): string[] {
  return text.match(/\S+\s*/g) ?? []
}

const charactersPerToken = 4

function withinLimit(text: string, maxOutputTokens: number | null): string {
  return maxOutputTokens === null ? text : text.slice(0, maxOutputTokens * charactersPerToken)
}

function estimateUsage(request: ModelRequest, reasoning: string, written: string): Usage {
  const read = request.system + JSON.stringify(request.messages) + JSON.stringify(request.tools)
  const tokens = (length: number) => Math.ceil(length / charactersPerToken)
  return {
    inputTokens: tokens(read.length),
    outputTokens: tokens(reasoning.length) + tokens(written.length),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: tokens(reasoning.length),
    estimated: true,
  }
}
