'use client'
import type { UserDetails } from '@toolgate/server/domains/users/reads'
import { Link2Off, Pencil, ShieldCheck, ShieldOff, Trash2, UserX } from 'lucide-react'
import { useId } from 'react'
import { useAct } from '@/components/forms/use-act'
import { MoreMenu } from '@/components/ui/more-menu'
import { revokeUserLink } from '../actions'
import type { UserQuestion } from './user-dialog'

/** Shows the menu of an account. For one's own account, what only another admin may do is disabled, with the reason. */
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
  const notOneself = { disabled: own, describedBy: own ? whyNotId : undefined }
  const revoke = () =>
    act(() => revokeUserLink({ userId: user.id }), {
      done: 'Link revoked',
      failed: 'Not revoked',
    })
  return (
    <MoreMenu
      entries={[
        { label: 'Rename…', icon: Pencil, onSelect: () => onAsk('rename') },
        {
          label: user.role === 'admin' ? 'Make member…' : 'Make admin…',
          icon: ShieldCheck,
          onSelect: () => onAsk('role'),
          ...notOneself,
        },
        user.linkExpiresAt !== null && {
          label: 'Revoke link',
          icon: Link2Off,
          onSelect: revoke,
        },
        hasFactor && {
          label: 'Reset second factor…',
          icon: ShieldOff,
          onSelect: () => onAsk('factors'),
          ...notOneself,
        },
        null,
        user.state === 'suspended' && {
          label: 'Disable…',
          icon: UserX,
          onSelect: () => onAsk('disable'),
        },
        { label: 'Delete…', icon: Trash2, onSelect: () => onAsk('delete'), ...notOneself },
      ]}
      foot={
        own && (
          <p id={whyNotId} className="max-w-64 px-2 py-1 text-muted text-sm">
            This is your own account: only another admin can do these.
          </p>
        )
      }
    />
  )
}
