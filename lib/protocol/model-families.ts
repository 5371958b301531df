import type { ModelTarget } from './model-target'
import type { ReasoningEffort } from './parameter-values'
import type { ModelParameters } from './parameters'

/** The wire demands a limit; this is what current models all allow. */
const defaultMaxTokens = 8_192

/** Thinking that models before 4.6 may spend; newer ones take the effort itself. */
export const thinkingTokens = {
  none: 0,
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
} as const
/** The wire refuses a smaller budget. */
const leastThinking = 1_024
const budgetedModels = /claude-(?:3-7|(?:opus|sonnet|haiku)-4(?:-[015])?(?:-\d{8}|@|$))/

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

/** Whether a Claude model is told how many tokens it may think, and not how hard. */
export function thinksByBudget(modelId: string): boolean {
  return budgetedModels.test(modelId)
}

/**
 * Thinking counts towards `max_tokens`, so a budget is given on top of what was allowed for the answer, as far as the
 * model can write that much; more is refused.
 */
export function thinkingLimits({
  modelId,
  parameters,
  mostOutputTokens,
}: {
  modelId: string
  parameters: Pick<ModelParameters, 'maxOutputTokens' | 'reasoningEffort'>
  mostOutputTokens?: number | null
}) {
  const { maxOutputTokens, reasoningEffort } = parameters
  const most = mostOutputTokens ?? Number.POSITIVE_INFINITY
  const answer = Math.min(maxOutputTokens ?? defaultMaxTokens, most)
  if (reasoningEffort === null || reasoningEffort === 'none') return { max_tokens: answer }
  const thinking = thinkingTokens[reasoningEffort]
  if (thinksByBudget(modelId)) return withBudget(answer, thinking, most)
  return {
    max_tokens: maxOutputTokens === null ? Math.min(answer + thinking, most) : answer,
    thinking: { type: 'adaptive' as const, display: 'summarized' as const },
    output_config: { effort: reasoningEffort === 'minimal' ? ('low' as const) : reasoningEffort },
  }
}

/** Where both do not fit, thinking leaves the answer what it needs, or half; too little to think with is left out. */
function withBudget(answer: number, thinking: number, most: number) {
  const max_tokens = Math.min(answer + thinking, most)
  const left = max_tokens - Math.min(answer, Math.ceil(max_tokens / 2))
  const budget_tokens = Math.min(thinking, left)
  if (budget_tokens < leastThinking) return { max_tokens: answer }
  return { max_tokens, thinking: { type: 'enabled' as const, budget_tokens } }
}
