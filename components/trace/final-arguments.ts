import type { CallView } from '@/lib/protocol/round-view'

/** Returns the arguments that a call runs with: the model's, unless somebody edited them when approving. */
export function finalArguments({ argumentsText, approval }: CallView): string {
  const decision = approval?.decision
  return decision?.type === 'edited' ? decision.argumentsText : argumentsText
}
