import type { Verdict } from '@/lib/protocol/outcome'
import type { ToolMeta } from '@/lib/protocol/tool'
import { gates } from './gates'
import { notRegistered } from './registered'
import type { Subject } from './subject'

const allowed: Verdict = { allowed: true }

/**
 * May this run use this tool now? The first gate that says no gives the reason (SPEC section 4). Asked for the
 * offer, again right before each call, and by the console to explain. `tool` is what the Map of tools holds under
 * the name asked for.
 */
export function decideTool(tool: ToolMeta | undefined, subject: Subject): Verdict {
  if (!tool) return notRegistered
  for (const gate of gates) {
    const reason = gate.denies(tool, subject)
    if (reason === null) continue
    const part = gate.part?.(subject)
    return { allowed: false, gate: gate.name, reason, ...(part && { part }) }
  }
  return allowed
}
