import type { EndReason } from './run-event'

/** Short names of the reasons why runs end, for people. */
export const endReasonWords: Record<EndReason, string> = {
  completed: 'Completed',
  'max-rounds': 'Round limit',
  budget: 'Budget',
  'no-price': 'No price',
  'cost-cap': 'Cost cap',
  length: 'Cut off',
  'content-filter': 'Filtered',
  loop: 'Loop',
  context: 'Context full',
  cancelled: 'Stopped',
  frozen: 'Frozen',
  revoked: 'Access removed',
  'time-limit': 'Time limit',
  'provider-error': 'Provider failed',
  'invalid-output': 'Invalid output',
  'internal-error': 'Failed',
}
