import type { ReasoningEffort } from './configuration-options'
import type { ModelTarget } from './model-target'

/** Returns whether a model id of Amazon Bedrock, or the inference profile that it is, names a Claude model. */
export function isClaudeOnBedrock(modelId: string): boolean {
  return /(?:^|[./])anthropic\.claude/.test(modelId)
}

export function isNovaOnBedrock(modelId: string): boolean {
  return /(?:^|[./])amazon\.nova/.test(modelId)
}

/** Whether a model of Google's is of the first or second generation. */
export function isBeforeGemini3(modelId: string): boolean {
  return /gemini-[12]\b/.test(modelId)
}

/** Whether requests to a model always carry a limit of the answer, with what it may think on top of it. */
export function hasClaudeLimits({ wire, modelId }: Pick<ModelTarget, 'wire' | 'modelId'>): boolean {
  return wire === 'anthropic' || (wire === 'bedrock' && isClaudeOnBedrock(modelId))
}

/** They think whatever they are asked, and a request that makes one call a tool is refused (platform.claude.com, read 2026-11-23). */
const alwaysThinking = /claude-(?:fable-5-[12]|(?:opus|sonnet)-5-5)(?!\d)/

/** Whether a model refuses to be made to call a tool: Claude does while it thinks, and some Claude models always do. */
export function refusesForcedTools(
  target: Pick<ModelTarget, 'wire' | 'modelId'>,
  effort: ReasoningEffort | null,
): boolean {
  if (!hasClaudeLimits(target)) return false
  return alwaysThinking.test(target.modelId) || (effort !== null && effort !== 'none')
}
