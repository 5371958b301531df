import { AppError } from '@/lib/kernel/errors'
import type { ModelTarget } from '@/lib/protocol/model-target'
import { askForModels } from './ask-for-models'
import { checkWire } from './connection-advice'
import { withLmStudioFacts } from './discover-lm-studio'
import { lookAtOllamaModels } from './discover-ollama'
import type { DiscoveredModel } from './discovered-model'
import { unknownModel } from './model-facts'
import { probeOutcome } from './probe-outcome'
import type { ProviderOptions } from './provider'
import { readModelList } from './read-model-list'

/**
 * The models a provider offers for chat, by id, with what it says of them; at most 2,000. Throws AppError with the
 * sentence that a test of the connection would show (`code` is its outcome).
 */
export async function listProviderModels(
  wire: ModelTarget['wire'],
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<DiscoveredModel[]> {
  if (wire === 'demo') return demoModels()
  try {
    const answer = await askForModels(wire, options, signal)
    const said =
      wire === 'openai-compatible' ? await withLmStudioFacts(answer, options, signal) : answer
    const models = readModelList(wire, said)
    if (!models)
      throw refusal('wrong-wire', `The server answers, but not with this API type. ${checkWire}`)
    const known = wire === 'ollama' ? await lookAtOllamaModels(models, options, signal) : models
    return known.sort((one, other) => (one.modelId < other.modelId ? -1 : 1))
  } catch (error) {
    if (error instanceof AppError) throw error
    if (signal.aborted) throw refusal('timeout', 'The provider did not answer in time. Try again.')
    const { outcome, message } = probeOutcome(error, options)
    throw refusal(outcome, message)
  }
}

function refusal(outcome: string, message: string): AppError {
  return new AppError(`provider-${outcome}`, 502, message)
}

function demoModels(): DiscoveredModel[] {
  const model = unknownModel('demo-rules', 'Demo rules')
  return model ? [{ ...model, toolCalling: 'confirmed' }] : []
}
