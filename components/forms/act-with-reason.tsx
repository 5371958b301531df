'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import type { ActionError, ActionResult } from '@/lib/kernel/action'
import { ReasonDialog } from './reason-dialog'
import { sendAction } from './send-action'
import { type Done, useDone } from './use-done'

type Props = Omit<Done, 'title'> & {
  /** Also what the button says: "Disable Ana". */
  title: string
  /** The consequence for others. */
  children: ReactNode
  failed: string
  done: string
  /** The error when the reason is missing; left out = the reason is optional. */
  required?: string
  /** False when it takes nothing from others. */
  danger?: boolean
  /** The reason is "" when none was given. */
  send: (reason: string) => Promise<ActionResult<unknown>>
  /** Left out = the page is refreshed. */
  onDone?: () => void
  onClose: () => void
}

/** Says what an action does to others, asks for a reason, runs it, and shows a message about the result. */
export function ActWithReason({
  title,
  children,
  failed,
  done,
  required,
  danger = true,
  send,
  onDone,
  onClose,
  ...news
}: Props) {
  const router = useRouter()
  const tellDone = useDone()
  const submit = async (reason: string): Promise<ActionError | null> => {
    const result = await sendAction(() => send(reason))
    if (!result.ok) return result.error
    tellDone({ ...news, title: done })
    onClose()
    if (onDone) onDone()
    else router.refresh()
    return null
  }
  return (
    <ReasonDialog
      title={title}
      description={children}
      required={required ?? null}
      hint="Stored in the audit."
      danger={danger}
      failed={failed}
      onSubmit={submit}
      onClose={onClose}
    />
  )
}
