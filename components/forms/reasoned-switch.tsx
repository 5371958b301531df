'use client'
import { type ReactNode, useState } from 'react'
import { Switch } from '@/components/ui/switch'
import type { ActionResult } from '@/lib/kernel/action'
import { visibleText } from '@/lib/protocol/clean-text'
import { onOrOff } from '@/lib/protocol/configuration-form'
import { ActWithReason } from './act-with-reason'
import { useAct } from './use-act'

type Props<T> = {
  id: string
  /** The name of what it switches. */
  name: string
  enabled: boolean
  send: (input: { id: string; enabled: boolean; reason: string }) => Promise<ActionResult<T>>
  /** The consequence of switching it off. */
  children: ReactNode
}

/** Switches on at once, with Undo. Switching off lets requests or calls pass, so it asks for a reason. */
export function ReasonedSwitch<T>({ id, name: given, enabled, send, children }: Props<T>) {
  const { busy, act } = useAct()
  const [asking, setAsking] = useState(false)
  const name = visibleText(given)
  const set = (on: boolean, reason = '') => send({ id, enabled: on, reason })
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
        busy={busy}
        onCheckedChange={(on) => (on ? switchOn() : setAsking(true))}
      />
      <span className="w-6 text-sm">{onOrOff(enabled)}</span>
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
          {children}
        </ActWithReason>
      )}
    </span>
  )
}
