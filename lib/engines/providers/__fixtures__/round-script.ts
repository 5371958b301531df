import type { StrictRounds } from '@/tests/support/strict-providers/strict-provider'
import type { Wire } from './recordings'

/** A run of three rounds with a provider that holds its own rules: two calls at once, then one, then words. */
export type ThreeRounds = {
  name: string
  wire: Exclude<Wire, 'vertex'>
  modelId: string
} & StrictRounds

/** The arguments of the three calls: `fetch_logs`, `list_users`, `fetch_logs`. */
export const callArguments = [{ level: 'error' }, {}, { level: 'warn' }] as const
