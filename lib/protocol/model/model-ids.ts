import type { ModelTarget } from './model-target'

/** Returns whether a model id of Amazon Bedrock, or the inference profile that it is, names a Claude model. */
export function isClaudeOnBedrock(modelId: string): boolean {
  return /(?:^|[./])anthropic\.claude/.test(modelId)
}

/** Returns whether a model takes a temperature or top P, but not both in one request. */
export function takesOneSampling({
  wire,
  modelId,
}: Pick<ModelTarget, 'wire' | 'modelId'>): boolean {
  return wire === 'bedrock' && isClaudeOnBedrock(modelId)
}

export function isNovaOnBedrock(modelId: string): boolean {
  return /(?:^|[./])amazon\.nova/.test(modelId)
}

/** Returns whether a model is one of Mistral's, whoever serves it. */
export function isMistral(modelId: string): boolean {
  return /(?:mi(?:s|ni|x)|magis|codes|devs|pix|vox)tral/i.test(modelId)
}

/** Returns whether a model is of Gemini's first or second generation. */
export function isBeforeGemini3(modelId: string): boolean {
  return /gemini-[12]\b/.test(modelId)
}

/** Returns whether requests to a model always have an output limit, to which its reasoning is added. */
export function hasClaudeLimits({ wire, modelId }: Pick<ModelTarget, 'wire' | 'modelId'>): boolean {
  return wire === 'anthropic' || (wire === 'bedrock' && isClaudeOnBedrock(modelId))
}
