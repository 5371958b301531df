import { z } from 'zod'
import type { Role } from './tool'

/** What one run may cost (SPEC M4): `warn` says so once, `enforce` ends the run with a closing answer. */
export const CostCap = z.object({
  scope: z.enum(['configuration', 'task', 'run']),
  mode: z.enum(['warn', 'enforce']),
  limitMicroUsd: z.int(),
})
export type CostCap = z.infer<typeof CostCap>

/** What somebody chose when a cost cap was passed, for the rest of the run. */
export const CostCapChoice = z.enum(['enforce', 'warn', 'ignore'])
export type CostCapChoice = z.infer<typeof CostCapChoice>

/**
 * What a person of this role may choose about a run's cost caps. What an admin enforces, by configuration or task, a
 * member can only leave as it is (SPEC G-X).
 */
export function costCapChoices(caps: readonly CostCap[], role: Role): CostCapChoice[] {
  const enforcedByAdmin = caps.some(({ scope, mode }) => scope !== 'run' && mode === 'enforce')
  return role === 'member' && enforcedByAdmin ? ['enforce'] : ['enforce', 'warn', 'ignore']
}
