'use client'
import type { GroupOff } from '@toolgate/server/toolset/tools/tool-listing'
import { type ReactNode, useState, useTransition } from 'react'
import { ReasonDialog } from '@/components/forms/reason-dialog'
import { sendAction } from '@/components/forms/use-act'
import { useToast } from '@/components/ui/toast'
import type { ActionError } from '@/lib/next/action'
import { setGroup } from './actions'

export type GroupSwitch = {
  /** Off asks for the reason first: everybody loses its tools. On acts at once and offers Undo. */
  flip: (group: string, off: GroupOff | null) => void
  dialog: ReactNode
}

export function useGroupSwitch(): GroupSwitch {
  const [pending, setPending] = useState<string | null>(null)
  const [, startTransition] = useTransition()
  const toast = useToast()

  const send = async (name: string, enabled: boolean, reason: string) => {
    const result = await sendAction(() => setGroup({ name, enabled, reason }))
    return result.ok ? null : result.error
  }
  const apply = (group: string, enabled: boolean, reason: string, undo: (() => void) | null) => {
    startTransition(async () => {
      const error = await send(group, enabled, reason)
      if (error) return toast(failure(group, error))
      toast(success(group, enabled, undo))
    })
  }
  const flip = (group: string, off: GroupOff | null) => {
    if (!off) return setPending(group)
    apply(group, true, '', () => apply(group, false, off.reason, null))
  }
  const switchOff = async (group: string, reason: string): Promise<ActionError | null> => {
    const error = await send(group, false, reason)
    if (error) return error
    setPending(null)
    toast(success(group, false, () => apply(group, true, '', null)))
    return null
  }

  const dialog = pending !== null && (
    <ReasonDialog
      title={`Switch off the group ${pending}`}
      description="Its tools stop in all runs, also calls in progress."
      required="Enter a reason. Denied calls show it."
      hint="Shown with each denied call."
      danger
      failed="The group was not changed"
      onSubmit={(reason) => switchOff(pending, reason)}
      onClose={() => setPending(null)}
    />
  )
  return { flip, dialog }
}

function success(group: string, enabled: boolean, undo: (() => void) | null) {
  return {
    tone: 'ok' as const,
    about: `group ${group}`,
    title: `Switched ${enabled ? 'on' : 'off'} the group ${group}`,
    ...(undo && { action: { label: 'Undo', onClick: undo } }),
  }
}

function failure(group: string, { message }: ActionError) {
  const title = `The group ${group} was not changed`
  return { tone: 'error' as const, about: `group ${group}`, title, description: message }
}
