import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import { envelopes } from '@/lib/protocol/panel/coordination'
import { type CheckedCoordination, rolesOf, StartCoordinationInput } from './coordination-schemas'
import type { MemberDraft, NewPanel } from './new-panel'
import { storePanel } from './store-panel'

/**
 * The proposer begins at once; `advancePanel` begins the others when it is their turn. All of them are checked first, so that a
 * configuration that does not exist is said before anything is spent. The same `idempotencyKey` returns the same panel.
 */
export const startCoordination = verb({
  name: 'panel.coordinate',
  role: 'member',
  scope: 'runs:write',
  summary:
    'Has a proposer, critics and a synthesizer work on one task, one after the other; with a known Idempotency-Key, returns the panel that has it.',
  input: StartCoordinationInput,
  output: z.object({ panelId: z.string(), created: z.boolean() }),
  transaction: false,
  audits: ['panel.coordinate'],
  run: ({ ctx }, input) => storePanel(ctx, coordinationOf(input)),
})

/** Returns the panel that a coordination is. `shared`: what all of its roles have beside what is asked for. */
export function coordinationOf(
  input: CheckedCoordination,
  shared: Partial<Pick<MemberDraft, 'task' | 'variables'>> = {},
): NewPanel {
  const { prompt, files, tools, costCap } = input
  return {
    action: 'panel.coordinate',
    input,
    wishes: rolesOf(input).map(({ role, costCap: own, ...rest }) => ({
      ...rest,
      ...shared,
      role,
      prompt,
      files,
      costCap: own,
      panelCap: costCap,
      tools: role === 'synthesizer' ? [] : tools,
      outputSchema: envelopes[role],
    })),
    begins: [0],
    start: { tools, hops: input.proposer.hops, costCap, memberCostCap: null },
    audited: {
      ...(tools.length > 0 && { tools }),
      ...(costCap && { costCap }),
    },
  }
}
