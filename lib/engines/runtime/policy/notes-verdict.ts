import { memoryReader } from '@/lib/protocol/prompt-memory'
import type { ToolMeta, Verdict } from '@/lib/protocol/tool'
import { decideTool } from './decide-tool'
import { matchingRules, refusalOf } from './rules'
import type { Subject } from './subject'

/**
 * Returns whether the notes of its person may stand in the prompt of a run: when `memory_read` may be called in it now and no rule
 * stops such a call. Nobody asks with arguments, so each condition on them counts as fulfilled (SPEC G-X).
 */
export function notesVerdict(tools: ReadonlyMap<string, ToolMeta>, subject: Subject): Verdict {
  const tool = tools.get(memoryReader)
  const verdict = decideTool(tool, subject)
  if (!tool || !verdict.allowed) return verdict
  const stop = matchingRules(tool, null, subject).find(({ action }) => action !== 'observe')
  if (!stop) return verdict
  if (stop.action === 'deny') return refusalOf(stop, null)
  const why = stop.id === null ? '' : ` because of the rule "${stop.name}"`
  return {
    allowed: false,
    gate: 'approval',
    reason: `Calls of ${memoryReader} wait for approval${why}, and nobody is asked before a run begins.`,
  }
}
