'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ReasonDialog } from '@/components/forms/reason-dialog'
import { sendAction, useConfirmed } from '@/components/forms/use-act'
import { OneTimeLinkDialog } from '@/components/people/shown-once-dialog'
import type { UserDetails } from '@/lib/domains/users/reads'
import type { OneTimeLink } from '@/lib/domains/users/schemas'
import { resetSignIn } from '../actions'

/** Asks why, makes a one-time link and shows it. */
export function ResetDialog({ user, onClose }: { user: UserDetails; onClose: () => void }) {
  const router = useRouter()
  const confirmed = useConfirmed()
  const [link, setLink] = useState<OneTimeLink | null>(null)
  const { id: userId, name } = user
  const invited = user.state === 'invited'
  const title = invited ? `Create a new link for ${name}` : `Reset the password of ${name}`
  const make = async (reason: string) => {
    const result = await sendAction(() => confirmed(() => resetSignIn({ userId, reason })))
    if (!result.ok) return result.error
    setLink(result.value)
    return null
  }
  const close = () => {
    onClose()
    router.refresh()
  }
  if (link) return <OneTimeLinkDialog title={title} link={link} name={name} onClose={close} />
  return (
    <ReasonDialog
      title={title}
      description={invited ? replaces : takesAway}
      required={null}
      hint="Stored in the audit."
      danger={!invited}
      failed="The link was not created"
      onSubmit={make}
      onClose={onClose}
    />
  )
}

const replaces = 'The earlier link stops working. The new one is shown once.'
const takesAway =
  'Their current password stops working, and all their sessions and API keys end. You get a one-time link for them. It is shown only once.'
