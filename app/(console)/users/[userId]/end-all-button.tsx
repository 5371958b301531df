'use client'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
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
        <ConfirmDialog
          title={`End all sessions of ${user.name}`}
          failed="The sessions were not ended"
          done="All sessions are over"
          send={() => endUserSessions({ userId: user.id })}
          onClose={() => setOpen(false)}
        >
          {own ? 'This one too: you sign in again.' : 'They have to sign in again, everywhere.'}{' '}
          Runs that are going go on.
        </ConfirmDialog>
      )}
    </>
  )
}
