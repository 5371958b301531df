import type { ModelTarget } from './model-target'

type Model = Pick<ModelTarget, 'modelRecordId' | 'modelId'>

/** Returns the first model of `models` that is also one of `others`, whatever its connection is; null = none is. */
export function sharedModel(models: readonly Model[], others: readonly Model[]): Model | null {
  const isSame = (one: Model, other: Model) =>
    one.modelRecordId === other.modelRecordId || familiar(one.modelId) === familiar(other.modelId)
  return models.find((one) => others.some((other) => isSame(one, other))) ?? null
}

/**
 * Returns the id of a model without what differs between those who serve it: the name of a router ("openai/"), of a region and a maker
 * on Amazon Bedrock ("eu.anthropic."), and of its usual version there and at Ollama.
 */
function familiar(modelId: string): string {
  const own = modelId.toLowerCase().split('/').at(-1) ?? ''
  return own.replace(/^(?:[a-z-]+\.)+/, '').replace(/-v\d+:\d+$|:latest$/, '')
}
