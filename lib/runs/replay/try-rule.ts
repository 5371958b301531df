import 'server-only'
import { z } from 'zod'
import { TriedRule } from '@/lib/domains/approvals/shape'
import { verb } from '@/lib/edge/verb'
import { requireComparable } from '@/lib/toolset/policy/comparable-conditions'
import { PolicyTrial } from './trial-shape'
import { runsOfPage, runTrial, TrialInput } from './try-policy'

export const RuleTrial = z.strictObject({
  rule: TriedRule,
  /** Id of the stored rule that it replaces; null = it is a new one. */
  id: z.uuid().nullable().default(null),
  days: TrialInput.shape.days,
})

export const tryRule = verb({
  name: 'approval-rule.try',
  role: 'admin',
  scope: null,
  summary:
    'Replays the newest runs of some days, at most 1,000, with a rule that is not stored, or stored otherwise, and returns which it would change.',
  input: RuleTrial,
  output: PolicyTrial,
  transaction: false,
  run: ({ ctx }, input) => runTrial(ctx, ruleTrialInput(input)),
})

/** Returns the trial of a rule. Throws ValidationError at the fields of the rule. */
export function ruleTrialInput({ rule, id, days }: z.output<typeof RuleTrial>) {
  requireComparable(rule.conditions, 'rule.')
  // A rule that is tried is on.
  const { enabled: _enabled, notYet: _notYet, ...facts } = rule
  const rules = [{ id: id ?? 'draft', rule: facts }]
  return TrialInput.parse({ draft: { rules }, days, mostRuns: runsOfPage })
}
