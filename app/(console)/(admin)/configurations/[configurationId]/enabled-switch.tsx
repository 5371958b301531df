'use client'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import { Switch } from '@/components/ui/switch'
import { policyReasons } from '@/lib/domains/configurations/shape'
import { onOrOff } from '@/lib/protocol/format'
import { changePolicy } from '../actions'

type Props = { configurationId: string; name: string; enabled: boolean }

/** Shows the switch of the configuration. Switching off asks for a reason, because people lose the configuration. */
export function EnabledSwitch({ configurationId, name, enabled }: Props) {
  const [asking, setAsking] = useState(false)
  const { busy, act } = useAct()
  const turn = (on: boolean, reason: string) =>
    changePolicy({ id: configurationId, enabled: on, reason })
  const flip = () => {
    if (enabled) return setAsking(true)
    void act(() => turn(true, ''), {
      failed: `${name} was not switched on`,
      done: `Switched on ${name}`,
      undo: () => turn(false, ''),
      about: configurationId,
    })
  }
  return (
    <div className="flex items-center gap-2">
      <Switch
        checked={enabled}
        busy={busy}
        onCheckedChange={flip}
        aria-label="Configuration is on"
      />
      <span className="text-normal" aria-hidden>
        {onOrOff(enabled)}
      </span>
      {asking && (
        <ActWithReason
          title={`Switch off ${name}`}
          required={policyReasons.switchOff}
          failed="The configuration was not switched off"
          done={`Switched off ${name}`}
          send={(reason) => turn(false, reason)}
          onClose={() => setAsking(false)}
        >
          Nobody can start a run with it, and its active runs end.
        </ActWithReason>
      )}
    </div>
  )
}
