import { emptyUsage } from '@/lib/protocol/cost/cost'
import type { Usage } from '@/lib/protocol/cost/money'
import type { FailureCategory, ProviderFailure } from '@/lib/protocol/model/failure'
import type { ModelEvent, ModelFinish, ModelRequest } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'

export type ModelCall = { target: ModelTarget; request: ModelRequest; signal: AbortSignal }

/** One answer: what the model streams, as data or as a generator that may look at the request and wait. */
export type ScriptStep = ModelEvent[] | ((call: ModelCall) => AsyncIterable<ModelEvent>)

/**
 * Returns a model that answers from a script, one step per request. A request after the last step throws. `verify`
 * throws when a step is left or a request was unexpected.
 */
export function scriptedModel(...steps: ScriptStep[]) {
  const calls: ModelCall[] = []
  let unexpected = 0
  async function* stream(
    target: ModelTarget,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent> {
    const step = steps[calls.length]
    calls.push({ target, request, signal })
    if (!step) {
      unexpected++
      throw new Error(`The script has no step ${calls.length}.`)
    }
    yield* typeof step === 'function' ? step({ target, request, signal }) : step
  }
  return {
    stream,
    calls,
    verify: (): void => {
      if (unexpected > 0) throw new Error(`${unexpected} requests came after the script's end.`)
      if (calls.length < steps.length) {
        throw new Error(
          `Only ${calls.length} of ${steps.length} steps of the script were asked for.`,
        )
      }
    },
  }
}

const someUsage: Usage = { ...emptyUsage, inputTokens: 100, outputTokens: 10 }

export function finish(fields: Partial<ModelFinish> = {}): ModelFinish {
  return {
    type: 'finish',
    finishReason: fields.toolCalls?.length ? 'tool-calls' : 'stop',
    text: '',
    reasoning: [],
    toolCalls: [],
    usage: someUsage,
    ...fields,
  }
}

/** Streams the text in words, then finishes. */
export function says(text: string, fields: Partial<ModelFinish> = {}): ModelEvent[] {
  const words = text.match(/\S+\s*/g) ?? []
  return [
    ...words.map((word): ModelEvent => ({ type: 'text-delta', text: word })),
    finish({ text, ...fields }),
  ]
}

/** Asks for tools: `[name, args]` each, where args is an object or the JSON text to send as it is. */
export function asks(...calls: [name: string, args?: object | string][]): ModelEvent[] {
  const toolCalls = calls.map(([name, args = {}], index) => ({
    id: `wire-${name}-${index}-${wireIds++}`,
    name,
    argumentsText: typeof args === 'string' ? args : JSON.stringify(args),
  }))
  const deltas = toolCalls.map(
    ({ name, argumentsText }, index): ModelEvent => ({
      type: 'tool-call-delta',
      index,
      name,
      argumentsText,
    }),
  )
  return [...deltas, finish({ toolCalls })]
}
let wireIds = 0

export function fails(
  category: FailureCategory,
  fields: Partial<ProviderFailure> = {},
): ModelEvent[] {
  return [{ type: 'error', failure: providerFailure(category, fields) }]
}

export function providerFailure(
  category: FailureCategory,
  fields: Partial<ProviderFailure> = {},
): ProviderFailure {
  return {
    category,
    status: null,
    advice: `It failed: ${category}.`,
    incidentId: 'provider-incident',
    retryAfterMs: null,
    ...fields,
  }
}
