import { ReasonedSwitch } from '@/components/forms/reasoned-switch'
import type { ActionResult } from '@/lib/next/action'
import type { SwitchWords } from '@/lib/shape/field-shape'
import { calledOf } from '@/lib/shape/resource'

export type Switch = { enabled: { off: SwitchWords; reason?: string | undefined } }
export type Switched = { id: string; name?: string; title?: string; enabled: boolean }
/** Switches an object. */
export type Send = (input: {
  id: string
  enabled: boolean
  reason?: string
}) => Promise<ActionResult<unknown>>

/** Switches an object on or off. Switching off says what that means and asks for a reason, which may be required. */
export function ResourceSwitch({
  fields,
  send,
  row,
}: {
  fields: Switch
  send: Send
  row: Switched
}) {
  const { off, reason } = fields.enabled
  return (
    <ReasonedSwitch
      id={row.id}
      name={calledOf(row)}
      enabled={row.enabled}
      required={reason}
      send={send}
    >
      {typeof off === 'string' ? off : off({ ...row })}
    </ReasonedSwitch>
  )
}
