import { conditionIssue } from '@/lib/engines/runtime/policy/conditions'
import { ValidationError } from '@/lib/kernel/errors'
import type { ArgumentCondition } from '@/lib/protocol/approval'

/** Throws ValidationError beside the value of each condition that cannot be compared with: a pattern, a host, a folder. */
export function requireComparable(conditions: readonly ArgumentCondition[], within = ''): void {
  const issues = conditions.flatMap((condition, place): [string, string][] => {
    const issue = conditionIssue(condition)
    return issue === null ? [] : [[`${within}conditions.${place}.value`, issue]]
  })
  if (issues.length > 0) throw new ValidationError(Object.fromEntries(issues))
}
