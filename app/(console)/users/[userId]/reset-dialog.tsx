'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { OneTimeLinkDialog } from '@/components/people/one-time-link-dialog'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import type { ActionError } from '@/lib/action'
import type { UserDetails } from '@/lib/users/read-user'
import type { OneTimeLink } from '@/lib/users/schemas'
import { resetSignIn } from '../actions'

/** Makes a one-time link and shows it. */
export function ResetDialog({ user, onClose }: { user: UserDetails; onClose: () => void }) {
  const router = useRouter()
  const [link, setLink] = useState<OneTimeLink | null>(null)
  const [error, setError] = useState<ActionError | null>(null)
  const [busy, setBusy] = useState(false)
  const invited = user.state === 'invited'
  const title = invited ? `New link for ${user.name}` : `Reset the password of ${user.name}`
  const make = async () => {
    setBusy(true)
    const result = await sendAction(() => resetSignIn({ userId: user.id }))
    setBusy(false)
    if (result.ok) setLink(result.value)
    else setError(result.error)
  }
  const close = () => {
    onClose()
    router.refresh()
  }
  if (link) return <OneTimeLinkDialog title={title} link={link} name={user.name} onClose={close} />
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={invited ? replaces : takesAway}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button variant={invited ? 'primary' : 'danger'} loading={busy} onClick={make}>
            {invited ? 'Make a new link' : 'Reset password'}
          </Button>
        </>
      }
    >
      {error && <ErrorNotice title="No link was made">{error.message}</ErrorNotice>}
    </Dialog>
  )
}

const replaces = 'The earlier link stops working. The new one is shown once.'
const takesAway =
  'The present password stops working and all sessions end. You get a one-time link for them, shown once.'
