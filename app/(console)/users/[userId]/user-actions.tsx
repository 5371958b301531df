'use client'
import { Ban, Ellipsis, KeyRound, Link2Off, ShieldCheck, Trash2, UserCheck } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu'
import type { UserDetails } from '@/lib/users/read-user'
import { changeUser, revokeUserLink } from '../actions'
import { UserDialog, type UserQuestion } from './user-dialog'

/** What an admin may do with an account; what others feel is asked once more. */
export function UserActions({
  user,
  own,
  passwords,
}: {
  user: UserDetails
  own: boolean
  passwords: boolean
}) {
  const [question, setQuestion] = useState<UserQuestion | null>(null)
  const { busy, act } = useAct()
  const resets = passwords && !own && !user.disabled && user.signIn !== 'identity-provider'
  const enable = () =>
    act(() => changeUser({ userId: user.id, disabled: false }), {
      done: `${user.name} may sign in again`,
      failed: `${user.name} was not enabled`,
    })
  const revoke = () =>
    act(() => revokeUserLink({ userId: user.id }), {
      done: 'The link does not work any more',
      failed: 'The link was not revoked',
    })
  return (
    <>
      {resets && (
        <Button onClick={() => setQuestion('reset')}>
          <KeyRound className="size-4" aria-hidden />
          {user.state === 'invited' ? 'New invitation link' : 'Reset password'}
        </Button>
      )}
      {user.disabled && (
        <Button loading={busy} onClick={enable}>
          <UserCheck className="size-4" aria-hidden />
          Enable
        </Button>
      )}
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button>
            <Ellipsis className="size-4" aria-hidden />
            More
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuItem disabled={own} onSelect={() => setQuestion('role')}>
            <ShieldCheck aria-hidden />
            {user.role === 'admin' ? 'Make a member…' : 'Make an admin…'}
          </DropdownMenuItem>
          {user.linkExpiresAt && (
            <DropdownMenuItem onSelect={revoke}>
              <Link2Off aria-hidden />
              Revoke the open link
            </DropdownMenuItem>
          )}
          <DropdownMenuSeparator />
          {!user.disabled && (
            <DropdownMenuItem disabled={own} onSelect={() => setQuestion('disable')}>
              <Ban aria-hidden />
              Disable…
            </DropdownMenuItem>
          )}
          <DropdownMenuItem disabled={own} onSelect={() => setQuestion('delete')}>
            <Trash2 aria-hidden />
            Delete…
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {question && <UserDialog question={question} user={user} onClose={() => setQuestion(null)} />}
    </>
  )
}
