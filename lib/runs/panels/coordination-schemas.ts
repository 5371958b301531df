import type { z } from 'zod'
import { rolesShape } from '@/lib/domains/tasks/shared/task-panel'
import { shippedInstructions } from '@/lib/protocol/panel/coordination'
import { hopBudgets } from '@/lib/protocol/panel/panel'
import { cleanText } from '@/lib/words/clean-text'
import { PanelFields } from './panel-schemas'

/**
 * One task for a proposer, one to six critics and a synthesizer. `tools`: those that the proposer and the critics may use before
 * their envelope; the synthesizer never has any. `costCap`: of all roles together.
 */
export const CoordinationFields = PanelFields.pick({
  prompt: true,
  files: true,
  tools: true,
  costCap: true,
  idempotencyKey: true,
}).extend({
  ...rolesShape,
})

export const StartCoordinationInput = CoordinationFields.superRefine(({ prompt }, issues) => {
  if (prompt.trim() === '')
    issues.addIssue({ code: 'custom', path: ['prompt'], message: 'Enter a prompt first.' })
})
export type StartCoordinationInput = z.input<typeof StartCoordinationInput>
export type CheckedCoordination = z.output<typeof StartCoordinationInput>

/** Returns the roles in their order, the synthesizer last: it has no tools, so it needs no hops. */
export function rolesOf({ proposer, critics, synthesizer }: CheckedCoordination) {
  const instructionsOf = (role: keyof typeof shippedInstructions, instructions: string | null) =>
    instructions === null ? shippedInstructions[role] : cleanText(instructions)
  return [
    {
      ...proposer,
      role: 'proposer' as const,
      instructions: instructionsOf('proposer', proposer.instructions),
    },
    ...critics.map((critic) => ({
      ...critic,
      role: 'critic' as const,
      instructions: instructionsOf('critic', critic.instructions),
    })),
    {
      ...synthesizer,
      role: 'synthesizer' as const,
      hops: hopBudgets.usual,
      instructions: instructionsOf('synthesizer', synthesizer.instructions),
    },
  ]
}
