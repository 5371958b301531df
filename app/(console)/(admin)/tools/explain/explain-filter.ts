import { z } from 'zod'
import { lenientQuery } from '@/lib/kernel/lenient-query'
import type { ToolExplanation } from '@/lib/toolset/explain-tools'

/** In the address: explain without any configuration. */
export const noConfiguration = 'none'

/** Person, configuration and task are kept as written. The page says when one does not exist. */
const Query = z.object({
  user: z.string().min(1).max(100).optional(),
  configuration: z.string().min(1).max(100).optional(),
  /** Id or identifier. */
  task: z.string().min(1).max(100).optional(),
  verdict: z.enum(['allowed', 'refused']).optional(),
  search: z.string().max(200).optional(),
})
export type ExplainFilter = z.infer<typeof Query>

/** From the page's address; what makes no sense counts as not given. */
export function readExplainFilter(
  params: Record<string, string | string[] | undefined>,
): ExplainFilter {
  return lenientQuery(Query, params)
}

/** Every word of the search must be found in name, group or what is said about it. */
export function filterExplained(
  tools: readonly ToolExplanation[],
  { verdict, search = '' }: ExplainFilter,
): ToolExplanation[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return tools.filter((tool) => {
    if (verdict !== undefined && tool.verdict.allowed !== (verdict === 'allowed')) return false
    const reason = tool.verdict.allowed
      ? (tool.approval?.words ?? '')
      : `${tool.verdict.gate} ${tool.verdict.reason}`
    const text = `${tool.name} ${tool.group} ${reason}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
