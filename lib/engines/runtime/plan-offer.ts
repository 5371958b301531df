import type { GateName } from '@/lib/protocol/outcome'
import type { ExecutableTool, ToolMeta } from '@/lib/protocol/tool'
import { reportIncident } from './deps'
import { decideTool } from './policy/decide-tool'
import type { Subject } from './policy/subject'
import type { RunStep } from './run-step'

export type Offer<T extends ToolMeta> = {
  accepted: T[]
  rejected: { name: string; gate: GateName; reason: string }[]
}

/**
 * Returns the verdict on every requested tool: those selected for the run, or all. Both lists are sorted by name (SPEC
 * R2, G-E); a selected name without a tool is rejected by `registered`.
 */
export function planOffer<T extends ToolMeta>(
  tools: ReadonlyMap<string, T>,
  subject: Subject,
): Offer<T> {
  const offer: Offer<T> = { accepted: [], rejected: [] }
  for (const name of subject.selected ?? tools.keys()) {
    const tool = tools.get(name)
    const verdict = decideTool(tool, subject)
    if (!verdict.allowed) {
      offer.rejected.push({ name, gate: verdict.gate, reason: verdict.reason })
    } else if (tool) {
      offer.accepted.push(tool)
    }
  }
  offer.accepted.sort(byName)
  offer.rejected.sort(byName)
  return offer
}

/** By code unit, so that the order is the same on every machine and prompt caches keep hitting. */
function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : Number(a.name > b.name)
}

/** `unavailable` says why nothing is offered although there may be tools; null = the gates decided. */
type RoundOffer = { tools: ExecutableTool[]; unavailable: string | null }

/**
 * Returns the tools of this round after a fresh decision of the gates (SPEC R2). When the state cannot be read, offers
 * none.
 */
export async function offerTools(step: RunStep, closing: boolean): Promise<RoundOffer> {
  if (closing) return { tools: [], unavailable: null }
  try {
    const subject = await step.deps.loadSubject()
    return { tools: planOffer(step.deps.tools, subject).accepted, unavailable: null }
  } catch (error) {
    const incidentId = reportIncident(step.deps, error)
    const unavailable = `No tools were offered: the switches could not be read (incident ${incidentId}).`
    return { tools: [], unavailable }
  }
}
