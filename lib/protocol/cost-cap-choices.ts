import type { CostCap, CostCapChoice } from './run-event'
import type { Role } from './tool'

/**
 * What a person of this role may choose about a run's cost caps. What an admin enforces, by configuration or task, a
 * member can only leave as it is (SPEC G-X).
 */
export function costCapChoices(caps: readonly CostCap[], role: Role): CostCapChoice[] {
  const enforcedByAdmin = caps.some(({ scope, mode }) => scope !== 'run' && mode === 'enforce')
  return role === 'member' && enforcedByAdmin ? ['enforce'] : ['enforce', 'warn', 'ignore']
}
