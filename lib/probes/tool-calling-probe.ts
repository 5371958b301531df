import type { ProviderFailure } from '@/lib/protocol/model/failure'
import type { ModelFinish } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { ExecutableTool } from '@/lib/protocol/tool'

/** The tool is offered and never executed, because the call itself is the result. */
export const probeTool: ExecutableTool = {
  name: 'report_number',
  description: 'Reports one whole number.',
  parameters: {
    type: 'object',
    properties: { number: { type: 'integer', description: 'The number to report.' } },
    required: ['number'],
    additionalProperties: false,
  },
  group: 'test',
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  dataClass: 'public',
  timeoutMs: 1_000,
  parse: (args) => ({ ok: true, args }),
  execute: async () => ({ content: null }),
}

/** Room for a model that thinks first. */
const mostOutputTokens = 2_000

export function probeOutputTokens(maxOutputTokens: number | null): number {
  return Math.min(maxOutputTokens ?? mostOutputTokens, mostOutputTokens)
}

/** `failed` says nothing about the model, because there was no complete answer. */
export type ProbeVerdict = {
  outcome: 'confirmed' | 'unsupported' | 'failed'
  /** The result as a sentence, without text of the model. */
  message: string
}

type Answer = Pick<ModelFinish, 'finishReason'> & {
  toolCalls: readonly { name: string; argumentsText: string }[]
}

const promptedWorks =
  'Prompted mode works with it: configurations with the tool mode Automatic use it for this model.'

/** Returns what the answer to `toolTestPrompt` shows about the model. */
export function judgeToolCall({ finishReason, toolCalls }: Answer): ProbeVerdict {
  const call = toolCalls.find(({ name }) => name === probeTool.name)
  if (call) {
    return isSeven(call.argumentsText)
      ? {
          outcome: 'confirmed',
          message: 'The model called the tool with the right argument.',
        }
      : {
          outcome: 'unsupported',
          message: `The model called the tool, but with wrong arguments. ${promptedWorks}`,
        }
  }
  if (finishReason === 'length' || finishReason === 'cut') {
    return {
      outcome: 'failed',
      message: 'The answer was cut off before the model called the tool. Try again.',
    }
  }
  if (finishReason === 'content-filter') {
    return { outcome: 'failed', message: 'The provider withheld the answer. Try again.' }
  }
  return {
    outcome: 'unsupported',
    message: `The model answered with text instead of calling the tool. ${promptedWorks}`,
  }
}

/**
 * Returns what a failure says about tool calling. Ollama answers 400 when a model's template has no place for tools;
 * elsewhere a 400 can mean anything.
 */
export function judgeFailure(wire: ModelTarget['wire'], failure: ProviderFailure): ProbeVerdict {
  if (wire === 'ollama' && failure.status === 400) {
    return {
      outcome: 'unsupported',
      message: `Ollama reports that this model does not support tools. ${promptedWorks}`,
    }
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
