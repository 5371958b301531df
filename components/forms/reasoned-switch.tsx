'use client'
import { type ReactNode, useState } from 'react'
import { lazyPart } from '@/components/ui/lazy-part'
import { OnOffSwitch } from '@/components/ui/switch'
import type { ActionResult } from '@/lib/next/action'
import { visibleText } from '@/lib/words/clean-text'
import { useAct } from './use-act'

/** Most visits switch nothing. */
const ActWithReason = lazyPart(async () => (await import('./reason-dialog')).ActWithReason)

type ReasonedSwitchProps<T> = {
  id: string
  /** The name of what it switches, as in "Switch off NAME". */
  name: string
  enabled: boolean
  /** The way that takes something from others, or gives them more, and therefore asks first. */
  asks?: 'on' | 'off'
  /** The error when it goes this way without a reason; left out = the reason is optional. */
  required?: string | undefined
  send: (input: { id: string; enabled: boolean; reason: string }) => Promise<ActionResult<T>>
  /** The consequence of this way; null = nobody is affected, so it asks nothing. */
  children: ReactNode
}

/** Switches something on or off and offers Undo. One way may affect others: it says how, and asks for a reason. */
export function ReasonedSwitch<T>({
  id,
  name: given,
  enabled,
  asks = 'off',
  required,
  send,
  children,
}: ReasonedSwitchProps<T>) {
  const { busy, act } = useAct()
  const [asking, setAsking] = useState(false)
  const name = visibleText(given)
  const set = (on: boolean, reason = '') => send({ id, enabled: on, reason })
  const wanted = enabled ? 'off' : 'on'
  const done = `Switched ${wanted} ${name}`
  const mustSay = wanted !== asks && required !== undefined
  const words = {
    done,
    about: `${id} ${name}`,
    // Undo cannot give a reason, so it is missing where the way back needs one.
    ...(!mustSay && { undo: () => set(enabled) }),
  }
  const flip = () => {
    if (wanted === asks && children !== null) setAsking(true)
    else void act(() => set(!enabled), words)
  }
  return (
    <>
      <OnOffSwitch
        {...ActWithReason.soon}
        aria-label={name}
        checked={enabled}
        busy={busy}
        onCheckedChange={flip}
      />
      {asking && (
        <ActWithReason
          title={`Switch ${wanted} ${name}`}
          {...words}
          {...(required !== undefined && { required })}
          send={(reason) => set(!enabled, reason)}
          onClose={() => setAsking(false)}
        >
          {children}
        </ActWithReason>
      )}
    </>
  )
}
