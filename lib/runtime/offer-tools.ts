import type { ExecutableTool } from '@/lib/protocol/tool'
import { planOffer } from './plan-offer'
import type { RunStep } from './run-step'

/** Returns the tools of this round by a fresh look at the gates (SPEC R2). Rejects when the state cannot be read. */
export async function offerTools(step: RunStep, closing: boolean): Promise<ExecutableTool[]> {
  if (closing) return []
  return planOffer(step.deps.tools, await step.deps.loadSubject()).accepted
}
