'use client'
import { useState } from 'react'
import { ReasonDialog } from '@/components/forms/reason-dialog'
import { sendAction, useAct } from '@/components/forms/use-act'
import { Switch } from '@/components/ui/switch'
import { useToast } from '@/components/ui/toast'
import { onOrOff } from '@/lib/protocol/configuration-form'
import { changePolicy } from '../actions'

type Props = { configurationId: string; name: string; enabled: boolean }

/** Shows the switch of the configuration. Switching off asks for a reason, because people lose the configuration. */
export function EnabledSwitch({ configurationId, name, enabled }: Props) {
  const [asking, setAsking] = useState(false)
  const { busy, act } = useAct()
  const toast = useToast()
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
  const switchOff = async (reason: string) => {
    const result = await sendAction(() => turn(false, reason))
    if (!result.ok) return result.error
    setAsking(false)
    toast({ tone: 'ok', title: `Switched off ${name}` })
    return null
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
        <ReasonDialog
          title={`Switch off ${name}`}
          description="Nobody can start a run with it, and its active runs end."
          required="Give a reason: other people use this configuration."
          hint="Stored in the audit."
          danger
          failed="The configuration was not switched off"
          onSubmit={switchOff}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
