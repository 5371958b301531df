import type { ExecutableTool } from '@/lib/protocol/tool'
import { planOffer } from './plan-offer'
import { reportIncident } from './report-incident'
import type { RunStep } from './run-step'

/** `unavailable` says why nothing is offered although there may be tools; null = the offer is what the gates said. */
export type RoundOffer = { tools: ExecutableTool[]; unavailable: string | null }

/** The tools of this round by a fresh look at the gates (SPEC R2). State that cannot be read offers nothing. */
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
