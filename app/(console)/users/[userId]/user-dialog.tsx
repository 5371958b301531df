'use client'
import { useRouter } from 'next/navigation'
import { ActWithReason } from '@/components/forms/act-with-reason'
import type { UserDetails } from '@/lib/users/read-user'
import { useConfirmed } from '../../confirm/confirm-provider'
import { changeUser, removeUser, resetFactors } from '../actions'
import { RenameDialog } from './rename-dialog'
import { ResetDialog } from './reset-dialog'

export type UserQuestion = 'rename' | 'role' | 'disable' | 'enable' | 'delete' | 'reset' | 'factors'

/** Says what a change does to the person before it is made, and asks why. */
export function UserDialog({
  question,
  user,
  onClose,
}: {
  question: UserQuestion
  user: UserDetails
  onClose: () => void
}) {
  const { id: userId, name } = user
  switch (question) {
    case 'rename':
      return <RenameDialog user={user} onClose={onClose} />
    case 'role':
      return <RoleQuestion user={user} onClose={onClose} />
    case 'disable':
      return (
        <ActWithReason
          title={`Disable ${name}`}
          failed={`${name} was not disabled`}
          done={`${name} is disabled`}
          send={(reason) => changeUser({ userId, disabled: true, reason })}
          onClose={onClose}
        >
          Sessions, API keys and links end at once and for good, and no tool call of their runs
          starts any more. Enabling the account later lets them sign in again.
        </ActWithReason>
      )
    case 'enable':
      return (
        <ActWithReason
          title={`Enable ${name}`}
          failed={`${name} was not enabled`}
          done={`${name} may sign in again`}
          danger={false}
          send={(reason) => changeUser({ userId, disabled: false, reason })}
          onClose={onClose}
        >
          They may sign in again. API keys and links that ended stay ended.
        </ActWithReason>
      )
    case 'delete':
      return <DeleteQuestion user={user} onClose={onClose} />
    case 'reset':
      return <ResetDialog user={user} onClose={onClose} />
    case 'factors':
      return <FactorsQuestion user={user} onClose={onClose} />
    default:
      return question satisfies never
  }
}

type Props = { user: UserDetails; onClose: () => void }

function RoleQuestion({ user: { id: userId, name, role }, onClose }: Props) {
  const demote = role === 'admin'
  return (
    <ActWithReason
      title={demote ? `Make ${name} a member` : `Make ${name} an admin`}
      failed="The role was not changed"
      done={`${name} is now ${demote ? 'a member' : 'an admin'}`}
      send={(reason) => changeUser({ userId, role: demote ? 'member' : 'admin', reason })}
      onClose={onClose}
    >
      {demote ? loses : gains}
    </ActWithReason>
  )
}

function FactorsQuestion({ user: { id: userId, name }, onClose }: Props) {
  const confirmed = useConfirmed()
  return (
    <ActWithReason
      title={`Reset the second factor of ${name}`}
      failed="The second factor was not reset"
      done={`${name} has no second factor any more`}
      required="Say why. The audit keeps it."
      send={(reason) => confirmed(() => resetFactors({ userId, reason }))}
      onClose={onClose}
    >
      Passkeys, authenticator apps and recovery codes of this account are removed, and all sessions
      end. They sign in with the password alone, and set up a new one if the site requires it. Check
      first that the request comes from them.
    </ActWithReason>
  )
}

function DeleteQuestion({ user: { id: userId, name, signIn }, onClose }: Props) {
  const router = useRouter()
  return (
    <ActWithReason
      title={`Delete ${name}`}
      failed={`${name} was not deleted`}
      done={`${name} is deleted`}
      send={(reason) => removeUser({ userId, reason })}
      onDone={() => router.push('/users')}
      onClose={onClose}
    >
      The account cannot be brought back; its runs and its trace in the audit stay.
      {signIn === 'identity-provider' && ` ${staysOutsideOnly}`}
    </ActWithReason>
  )
}

const loses =
  'From the next request on they see their own runs and what their groups may use; admin tools are refused. Their active runs with other configurations end.'
const gains =
  'From the next request on they may use everything here, change every switch and read every run.'
const staysOutsideOnly =
  'The identity provider may still send them: they would come back with a new account. Disable this one to keep them out.'
