import { z } from 'zod'
import { cleanText } from '@/lib/protocol/clean-text'
import { mostCritics, shippedInstructions } from '@/lib/protocol/coordination'
import { hopBudgets } from '@/lib/protocol/panel'
import { PanelFields } from './panel-schemas'
import { RunCostCap } from './schemas'

const mostInstructions = 20_000

/** One role: its configuration, what the role is told (left out = the shipped words), and its own limits. */
const Role = z.strictObject({
  configuration: z.string().trim().min(1, 'Pick a configuration.').max(100),
  instructions: z
    .string()
    .max(mostInstructions, 'At most 20,000 characters.')
    .transform(cleanText)
    .nullable()
    .default(null),
  costCap: RunCostCap.nullable().default(null),
})

const AskingRole = Role.extend({ hops: PanelFields.shape.hops })

/**
 * One task for a proposer, one to six critics and a synthesizer. `tools`: those that the proposer and the critics may use before
 * their envelope; the synthesizer never has any. `costCap`: of all roles together.
 */
export const CoordinationFields = PanelFields.pick({
  ...{ prompt: true, files: true, tools: true, costCap: true, idempotencyKey: true },
}).extend({
  proposer: AskingRole,
  critics: z
    .array(AskingRole)
    .min(1, 'At least one critic.')
    .max(mostCritics, `At most ${mostCritics} critics.`),
  synthesizer: Role,
})

export const StartCoordinationInput = CoordinationFields.superRefine(({ prompt }, issues) => {
  if (prompt.trim() === '')
    issues.addIssue({ code: 'custom', path: ['prompt'], message: 'Enter a prompt first.' })
})
export type StartCoordinationInput = z.input<typeof StartCoordinationInput>
export type CheckedCoordination = z.output<typeof StartCoordinationInput>

/** Returns the roles in their order, the synthesizer last: it has no tools, so it needs no hops. */
export function rolesOf({ proposer, critics, synthesizer }: CheckedCoordination) {
  const told = (role: keyof typeof shippedInstructions, instructions: string | null) =>
    instructions ?? shippedInstructions[role]
  return [
    {
      ...proposer,
      role: 'proposer' as const,
      instructions: told('proposer', proposer.instructions),
    },
    ...critics.map((critic) => ({
      ...critic,
      ...{ role: 'critic' as const, instructions: told('critic', critic.instructions) },
    })),
    {
      ...synthesizer,
      ...{ role: 'synthesizer' as const, hops: hopBudgets.usual },
      instructions: told('synthesizer', synthesizer.instructions),
    },
  ]
}
