'use client'
import {
  Ban,
  Ellipsis,
  KeyRound,
  Link2Off,
  Pencil,
  ShieldCheck,
  Trash2,
  UserCheck,
} from 'lucide-react'
import { useId, useState } from 'react'
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
import { revokeUserLink } from '../actions'
import { UserDialog, type UserQuestion } from './user-dialog'

/** What an admin may do with an account; what others feel asks why. */
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
  const { act } = useAct()
  const whyNotId = useId()
  const resets = passwords && !own && !user.disabled && user.signIn !== 'identity-provider'
  const notOneself = { disabled: own, 'aria-describedby': own ? whyNotId : undefined }
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
        <Button onClick={() => setQuestion('enable')}>
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
          <DropdownMenuItem onSelect={() => setQuestion('rename')}>
            <Pencil aria-hidden />
            Rename…
          </DropdownMenuItem>
          <DropdownMenuItem {...notOneself} onSelect={() => setQuestion('role')}>
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
            <DropdownMenuItem {...notOneself} onSelect={() => setQuestion('disable')}>
              <Ban aria-hidden />
              Disable…
            </DropdownMenuItem>
          )}
          <DropdownMenuItem {...notOneself} onSelect={() => setQuestion('delete')}>
            <Trash2 aria-hidden />
            Delete…
          </DropdownMenuItem>
          {own && (
            <p id={whyNotId} className="max-w-64 px-2 py-1 text-muted text-sm">
              This is your own account: role, disabling and deleting are for another admin.
            </p>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      {question && <UserDialog question={question} user={user} onClose={() => setQuestion(null)} />}
    </>
  )
}
