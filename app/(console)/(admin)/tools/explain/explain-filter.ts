import { noteWords } from '@toolgate/server/engines/runtime/policy/approval-note'
import type { ToolExplanation } from '@toolgate/server/toolset/policy/explain-tools'
import { z } from 'zod'
import { matchesSearch } from '@/lib/words/matches-search'

/** In the address: explain without any configuration. */
export const noConfiguration = 'none'

/** Person, key, configuration and task are kept as written. The page says when one does not exist. */
export const ExplainQuery = z.object({
  user: z.string().min(1).max(100).optional(),
  /** Id of an API key. */
  key: z.string().min(1).max(100).optional(),
  configuration: z.string().min(1).max(100).optional(),
  /** Id or identifier. */
  task: z.string().min(1).max(100).optional(),
  verdict: z.enum(['allowed', 'refused']).optional(),
  search: z.string().max(200).optional(),
})
export type ExplainFilter = z.infer<typeof ExplainQuery>

/** Returns the tools whose name, group or explanation has every word of the search. */
export function filterExplained(
  tools: readonly ToolExplanation[],
  { verdict, search }: ExplainFilter,
): ToolExplanation[] {
  return tools.filter((tool) => {
    if (verdict !== undefined && tool.verdict.allowed !== (verdict === 'allowed')) return false
    const reason = tool.verdict.allowed
      ? noteWords(tool.approval)
      : `${tool.verdict.gate} ${tool.verdict.reason}`
    return matchesSearch(search, [tool.name, tool.group, reason])
  })
}
