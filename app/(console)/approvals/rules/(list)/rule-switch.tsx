'use client'
import { useAct } from '@/components/forms/use-act'
import { Switch } from '@/components/ui/switch'
import type { ApprovalRuleListing } from '@/lib/approvals/schemas'
import { visibleText } from '@/lib/protocol/visible-text'
import { switchRule } from '../actions'

/** Whether a rule counts; calls that wait because of it go on waiting. */
export function RuleSwitch({ rule }: { rule: ApprovalRuleListing }) {
  const { busy, act } = useAct()
  const { id, enabled } = rule
  const name = visibleText(rule.name)
  const flip = () =>
    act(() => switchRule({ id, enabled: !enabled }), {
      failed: `${name} was not changed`,
      done: enabled ? `Switched off ${name}` : `Switched on ${name}`,
    })
  return (
    <span className="inline-flex items-center gap-2">
      <Switch aria-label={name} checked={enabled} disabled={busy} onCheckedChange={flip} />
      <span className="w-6 text-sm">{enabled ? 'On' : 'Off'}</span>
    </span>
  )
}
