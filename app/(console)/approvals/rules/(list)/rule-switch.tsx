'use client'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/act-with-reason'
import { useAct } from '@/components/forms/use-act'
import { Switch } from '@/components/ui/switch'
import type { ApprovalRuleListing } from '@/lib/approvals/schemas'
import { visibleText } from '@/lib/protocol/visible-text'
import { switchRule } from '../actions'

/** Whether a rule counts; calls that wait because of it go on waiting. Off lets calls run unasked, so it asks why. */
export function RuleSwitch({ rule }: { rule: ApprovalRuleListing }) {
  const { busy, act } = useAct()
  const [asking, setAsking] = useState(false)
  const { id, enabled } = rule
  const name = visibleText(rule.name)
  const set = (on: boolean, reason = '') => switchRule({ id, enabled: on, reason })
  const failed = `${name} was not changed`
  const switchOn = () =>
    act(() => set(true), {
      failed,
      done: `Switched on ${name}`,
      undo: () => set(false),
      about: id,
    })
  return (
    <span className="inline-flex items-center gap-2">
      <Switch
        aria-label={name}
        checked={enabled}
        disabled={busy}
        onCheckedChange={(on) => (on ? switchOn() : setAsking(true))}
      />
      <span className="w-6 text-sm">{enabled ? 'On' : 'Off'}</span>
      {asking && (
        <ActWithReason
          title={`Switch off ${name}`}
          failed={failed}
          done={`Switched off ${name}`}
          send={(reason) => set(false, reason)}
          undo={() => set(true)}
          about={id}
          onClose={() => setAsking(false)}
        >
          Calls that fit it no longer wait for a person, unless another rule says so. Calls that
          wait now go on waiting.
        </ActWithReason>
      )}
    </span>
  )
}
