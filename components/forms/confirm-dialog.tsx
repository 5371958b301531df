'use client'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import type { ActionError, ActionResult } from '@/lib/next/action'
import { visibleText } from '@/lib/words/clean-text'
import { type Done, notSaved, sendAction, useAct, useDone } from './use-act'

/** Asks for confirmation before an action that affects others. It stays open with the error when the action fails. */
export function ConfirmDialog({
  title,
  children,
  failed = notSaved,
  done,
  danger = true,
  send,
  onDone,
  onClose,
  ...news
}: Omit<Done, 'title'> & {
  /** Also what the button says: "Disable Ana". */
  title: string
  children: ReactNode
  failed?: string
  done: string
  /** False when nothing is lost. */
  danger?: boolean
  send: () => Promise<ActionResult<unknown>>
  onDone?: () => void
  onClose: () => void
}) {
  const tellDone = useDone()
  const router = useRouter()
  const [error, setError] = useState<ActionError | null>(null)
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    const result = await sendAction(send)
    setBusy(false)
    if (!result.ok) return setError(result.error)
    tellDone({ ...news, title: done })
    onClose()
    if (onDone) onDone()
    else router.refresh()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={children}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button variant={danger ? 'danger' : 'primary'} loading={busy} onClick={confirm}>
            {visibleText(title)}
          </Button>
        </>
      }
    >
      {error && <ErrorNotice title={failed}>{error.message}</ErrorNotice>}
    </Dialog>
  )
}

/**
 * Runs an action, shows a message about the result, and refreshes the page. A page of the server gives the action with
 * its input: `send={endOtherSessions.bind(null, null)}`.
 */
export function ActButton({
  send,
  done,
  failed = notSaved,
  children,
}: {
  send: () => Promise<ActionResult<unknown>>
  done: string
  failed?: string
  children: ReactNode
}) {
  const { busy, act } = useAct()
  return (
    <Button size="sm" loading={busy} onClick={() => act(send, { done, failed })}>
      {children}
    </Button>
  )
}
