import { z } from 'zod'
import type { Role } from './tool'

/** What one run may cost (SPEC M4): `warn` says so once, `enforce` ends the run with a closing answer. */
export const CostCap = z.object({
  scope: z.enum(['configuration', 'task', 'run']),
  mode: z.enum(['warn', 'enforce']),
  limitMicroUsd: z.int(),
})
export type CostCap = z.infer<typeof CostCap>

/** What somebody chose when a cost cap was passed, for the rest of the run; the strictest first. */
export const CostCapChoice = z.enum(['enforce', 'warn', 'ignore'])
export type CostCapChoice = z.infer<typeof CostCapChoice>

/**
 * What a person of this role may choose about a run's cost caps. What an admin decided, by configuration or task or as
 * `byAdmin` (their last choice about this run), a member may make stricter and never looser (SPEC G-X).
 */
export function costCapChoices(
  caps: readonly CostCap[],
  role: Role,
  byAdmin: CostCapChoice | null = null,
): CostCapChoice[] {
  const all = CostCapChoice.options
  if (role === 'admin') return all
  const enforcedByAdmin = caps.some(({ scope, mode }) => scope !== 'run' && mode === 'enforce')
  const loosest = byAdmin ?? (enforcedByAdmin ? 'enforce' : 'ignore')
  return all.slice(0, all.indexOf(loosest) + 1)
}
