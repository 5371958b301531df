'use client'
import { useRouter } from 'next/navigation'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import type { UserDetails } from '@/lib/users/read-user'
import { changeUser, removeUser } from '../actions'
import { ResetDialog } from './reset-dialog'

export type UserQuestion = 'role' | 'disable' | 'delete' | 'reset'

/** Says what a change does to the person before it is made. */
export function UserDialog({
  question,
  user,
  onClose,
}: {
  question: UserQuestion
  user: UserDetails
  onClose: () => void
}) {
  const router = useRouter()
  const { id: userId, name } = user
  switch (question) {
    case 'role': {
      const demote = user.role === 'admin'
      return (
        <ConfirmDialog
          title={demote ? `Make ${name} a member` : `Make ${name} an admin`}
          failed="The role was not changed"
          done={`${name} is now ${demote ? 'a member' : 'an admin'}`}
          send={() => changeUser({ userId, role: demote ? 'member' : 'admin' })}
          onClose={onClose}
        >
          {demote ? loses : gains}
        </ConfirmDialog>
      )
    }
    case 'disable':
      return (
        <ConfirmDialog
          title={`Disable ${name}`}
          failed={`${name} was not disabled`}
          done={`${name} is disabled`}
          send={() => changeUser({ userId, disabled: true })}
          onClose={onClose}
        >
          Sessions and links end at once, API keys rest, and no tool call of their runs starts any
          more. Enabling the account later lets them sign in again.
        </ConfirmDialog>
      )
    case 'delete':
      return (
        <ConfirmDialog
          title={`Delete ${name}`}
          failed={`${name} was not deleted`}
          done={`${name} is deleted`}
          send={() => removeUser({ userId })}
          onDone={() => router.push('/users')}
          onClose={onClose}
        >
          The account cannot be brought back; its runs and its trace in the audit stay.
          {user.signIn === 'identity-provider' && ` ${staysOutsideOnly}`}
        </ConfirmDialog>
      )
    case 'reset':
      return <ResetDialog user={user} onClose={onClose} />
    default:
      return question satisfies never
  }
}

const loses =
  'From the next request on they see their own runs and what their groups may use; admin tools are refused, in runs that are going too.'
const gains =
  'From the next request on they may use everything here, change every switch and read every run.'
const staysOutsideOnly =
  'The identity provider may still send them: they would come back with a new account. Disable this one to keep them out.'
