import type { Verdict } from '@/lib/protocol/outcome'
import type { ToolMeta } from '@/lib/protocol/tool'
import { configuration } from './configuration'
import { enabled } from './enabled'
import { frozen } from './frozen'
import type { Gate } from './gate'
import { group } from './group'
import { pinned } from './pinned'
import { notRegistered, registered } from './registered'
import { role } from './role'
import { selection } from './selection'
import { skills } from './skills'
import type { Subject } from './subject'
import { trustZone } from './trust-zone'

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

/** In the order of SPEC section 4. Each can only say no, so none can widen what another refused (SPEC G-X). */
export const gates: readonly Gate[] = [
  registered,
  frozen,
  group,
  enabled,
  role,
  configuration,
  trustZone,
  skills,
  selection,
  pinned,
]
