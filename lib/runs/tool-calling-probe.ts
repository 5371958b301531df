import type { ProviderFailure } from '@/lib/protocol/failure'
import type { ModelEvent, ModelFinish, ModelRequest } from '@/lib/protocol/model-event'
import type { ModelTarget } from '@/lib/protocol/model-target'

const tool = {
  name: 'report_number',
  description: 'Reports one whole number.',
  parameters: {
    type: 'object',
    properties: { number: { type: 'integer', description: 'The number to report.' } },
    required: ['number'],
    additionalProperties: false,
  },
}

/** Room for a model that thinks first. */
const mostOutputTokens = 2_000

/** `failed` says nothing about the model: there was no whole answer. */
export type ProbeVerdict = {
  outcome: 'confirmed' | 'unsupported' | 'failed'
  /** What happened, in words; nothing that the model wrote. */
  message: string
}

/** One tiny request that any model which calls tools answers with a call. */
export function toolCallingRequest(modelId: string, maxOutputTokens: number | null): ModelRequest {
  return {
    modelId,
    system: '',
    messages: [
      {
        role: 'user',
        text: 'Call the tool report_number with the number 7. Answer with the call alone.',
      },
    ],
    tools: [tool],
    parameters: {
      temperature: null,
      topP: null,
      maxOutputTokens: Math.min(maxOutputTokens ?? mostOutputTokens, mostOutputTokens),
      stop: [],
      seed: null,
      reasoningEffort: null,
    },
  }
}

/** The last event of a stream, which says all there is to say. */
export async function lastEvent(stream: AsyncGenerator<ModelEvent>): Promise<ModelEvent | null> {
  let last: ModelEvent | null = null
  for await (const event of stream) last = event
  return last
}

/** What the answer to `toolCallingRequest` shows about the model. */
export function judgeToolCall(finish: ModelFinish): ProbeVerdict {
  const call = finish.toolCalls.find(({ name }) => name === tool.name)
  if (call) {
    return isSeven(call.argumentsText)
      ? {
          outcome: 'confirmed',
          message: 'It called the tool it was offered, with the right argument.',
        }
      : {
          outcome: 'unsupported',
          message: 'It called the tool, but with arguments that do not fit.',
        }
  }
  if (finish.finishReason === 'length' || finish.finishReason === 'cut') {
    return { outcome: 'failed', message: 'Its answer was cut off before a call. Try again.' }
  }
  if (finish.finishReason === 'content-filter') {
    return { outcome: 'failed', message: 'The provider withheld the answer. Try again.' }
  }
  return { outcome: 'unsupported', message: 'It answered in words instead of calling the tool.' }
}

/** Ollama answers 400 when a model's template has no place for tools; elsewhere a 400 may mean anything. */
export function judgeFailure(wire: ModelTarget['wire'], failure: ProviderFailure): ProbeVerdict {
  if (wire === 'ollama' && failure.status === 400) {
    return { outcome: 'unsupported', message: 'Ollama says that this model takes no tools.' }
  }
  return { outcome: 'failed', message: failure.advice }
}

function isSeven(argumentsText: string): boolean {
  try {
    const args: unknown = JSON.parse(argumentsText)
    return typeof args === 'object' && args !== null && 'number' in args && args.number === 7
  } catch {
    return false
  }
}
