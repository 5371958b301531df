'use client'
import { ReasonedSwitch } from '@/components/forms/reasoned-switch'
import type { ApprovalRuleListing } from '@/lib/domains/approvals/schemas'
import { switchRule } from '../actions'

/** Switches a rule on or off. Calls that already wait because of it keep waiting. */
export function RuleSwitch({ rule: { id, name, enabled } }: { rule: ApprovalRuleListing }) {
  return (
    <ReasonedSwitch id={id} name={name} enabled={enabled} send={switchRule}>
      Calls that match it no longer wait for approval, unless another rule matches. Calls that
      already wait keep waiting.
    </ReasonedSwitch>
  )
}
