'use client'
import { Ban, Ellipsis, Link2Off, Pencil, ShieldCheck, ShieldOff, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu'
import type { UserDetails } from '@/lib/domains/users/reads'
import { revokeUserLink } from '../actions'
import type { UserQuestion } from './user-dialog'

/** Shows the rare actions of an account. Those that are not allowed on one's own account are disabled and say why. */
export function UserMenu({
  user,
  own,
  hasFactor,
  onAsk,
}: {
  user: UserDetails
  own: boolean
  hasFactor: boolean
  onAsk: (question: UserQuestion) => void
}) {
  const { act } = useAct()
  const whyNotId = useId()
  const notOneself = { disabled: own, 'aria-describedby': own ? whyNotId : undefined }
  const revoke = () =>
    act(() => revokeUserLink({ userId: user.id }), {
      done: 'Revoked the link',
      failed: 'The link was not revoked',
    })
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button>
          <Ellipsis className="size-4" aria-hidden />
          More
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={() => onAsk('rename')}>
          <Pencil aria-hidden />
          Rename…
        </DropdownMenuItem>
        <DropdownMenuItem {...notOneself} onSelect={() => onAsk('role')}>
          <ShieldCheck aria-hidden />
          {user.role === 'admin' ? 'Make a member…' : 'Make an admin…'}
        </DropdownMenuItem>
        {user.linkExpiresAt && (
          <DropdownMenuItem onSelect={revoke}>
            <Link2Off aria-hidden />
            Revoke the open link
          </DropdownMenuItem>
        )}
        {hasFactor && (
          <DropdownMenuItem {...notOneself} onSelect={() => onAsk('factors')}>
            <ShieldOff aria-hidden />
            Reset the second factor…
          </DropdownMenuItem>
        )}
        <DropdownMenuSeparator />
        {!user.disabled && (
          <DropdownMenuItem {...notOneself} onSelect={() => onAsk('disable')}>
            <Ban aria-hidden />
            Disable…
          </DropdownMenuItem>
        )}
        <DropdownMenuItem {...notOneself} onSelect={() => onAsk('delete')}>
          <Trash2 aria-hidden />
          Delete…
        </DropdownMenuItem>
        {own && (
          <p id={whyNotId} className="max-w-64 px-2 py-1 text-muted text-sm">
            This is your own account. Only another admin can change its role, disable it or delete
            it.
          </p>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
