import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import { ValidationError } from '@/lib/kernel/errors'
import type { MemberDraft, NewPanel, PlannedMember } from './new-panel'
import { type CheckedPanel, StartPanelInput } from './panel-schemas'
import { storePanel } from './store-panel'

/**
 * A member that may not run now is kept with the reason, and the others start. The same `idempotencyKey` returns the same
 * panel. Throws ConflictError when the budgets have no room for all of them (SPEC Q3).
 */
export const startPanel = verb({
  name: 'panel.start',
  role: 'member',
  scope: 'runs:write',
  summary:
    'Runs one prompt on several configurations at once; with a known Idempotency-Key, returns the panel that has it.',
  input: StartPanelInput,
  output: z.object({ panelId: z.string(), created: z.boolean() }),
  transaction: false,
  audits: ['panel.start'],
  run: ({ ctx }, input) => storePanel(ctx, comparisonOf(input)),
})

/** Returns the panel that a comparison is. `own`: what all of its members have beside what is asked for. */
export function comparisonOf(
  input: CheckedPanel,
  own: Partial<Pick<MemberDraft, 'task' | 'variables'>> = {},
): NewPanel {
  const { configurations, prompt, files, tools, outputSchema, hops } = input
  const { costCap, memberCostCap } = input
  const shared = { prompt, files, tools, outputSchema, hops, costCap: memberCostCap, ...own }
  return {
    action: 'panel.start',
    input,
    wishes: configurations.map((configuration) => ({
      ...shared,
      configuration,
      panelCap: costCap,
    })),
    begins: configurations.map((_, place) => place),
    start: { tools, hops, costCap, memberCostCap },
    audited: {
      ...(tools.length > 0 && { tools }),
      hops,
      ...(costCap && { costCap }),
      ...(memberCostCap && { memberCostCap }),
    },
    check: refuseDoubles,
  }
}

function refuseDoubles(members: readonly PlannedMember[]): void {
  const seen = new Set<string>()
  for (const [place, { planned }] of members.entries()) {
    const id = planned?.snapshot.configurationId
    if (id && seen.has(id))
      throw new ValidationError({
        [`configurations.${place}`]: `${planned?.snapshot.configurationName} is named twice. Name it once.`,
      })
    if (id) seen.add(id)
  }
}
