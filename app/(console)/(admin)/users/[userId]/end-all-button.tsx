'use client'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { Button } from '@/components/ui/button'
import { endUserSessions } from '../actions'

/** Signs the person out everywhere, admins themselves included. */
export function EndAllButton({ user, own }: { user: { id: string; name: string }; own: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        End all sessions
      </Button>
      {open && (
        <ActWithReason
          title={`End all sessions of ${user.name}`}
          failed="The sessions were not ended"
          done="Ended all sessions"
          send={(reason) => endUserSessions({ userId: user.id, reason })}
          onClose={() => setOpen(false)}
        >
          {own
            ? 'This includes your current session. You must sign in again.'
            : 'They must sign in again everywhere.'}{' '}
          Active runs continue.
        </ActWithReason>
      )}
    </>
  )
}
