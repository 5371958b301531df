'use client'
import type { UserDetails } from '@toolgate/server/domains/users/reads'
import type { OneTimeLink } from '@toolgate/server/domains/users/schemas'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { ActWithReason, ReasonDialog } from '@/components/forms/reason-dialog'
import { sendAction } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import { OneTimeLinkDialog } from '@/components/people/shown-once-dialog'
import { VisibleText } from '@/components/trace/visible-text'
import { reasonMissing } from '@/lib/shape/reason-words'
import { changeUser, removeUser, resetFactors, resetSignIn } from '../actions'

export type UserQuestion = 'rename' | 'role' | 'disable' | 'enable' | 'delete' | 'reset' | 'factors'

/** Says what a change does to the person, and asks for a reason. */
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
          failed="Not disabled"
          done={`Disabled ${name}`}
          send={(reason) => changeUser({ userId, disabled: true, reason })}
          onClose={onClose}
        >
          Their sessions, API keys and links end for good. {runsStopped(user)}
        </ActWithReason>
      )
    case 'enable':
      return (
        <ActWithReason
          title={`Enable ${name}`}
          failed="Not enabled"
          done={`Enabled ${name}`}
          danger={false}
          send={(reason) => changeUser({ userId, disabled: false, reason })}
          onClose={onClose}
        >
          {user.state === 'suspended'
            ? 'API keys and schedules work again until a sign-in without groups.'
            : 'They can sign in again; ended API keys stay ended.'}
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
      done={`${name} is now ${demote ? 'a member' : 'an admin'}`}
      send={(reason) => changeUser({ userId, role: demote ? 'member' : 'admin', reason })}
      onClose={onClose}
    >
      {demote ? loses : gains}
    </ActWithReason>
  )
}

function FactorsQuestion({ user: { id: userId, name }, onClose }: Props) {
  return (
    <ActWithReason
      title={`Reset second factor of ${name}`}
      failed="Not reset"
      done="Second factor reset"
      required={reasonMissing}
      send={(reason) => resetFactors({ userId, reason })}
      onClose={onClose}
    >
      Check that <VisibleText text={name} /> asked for this. It removes their factors and ends their
      sessions; their password alone then signs in.
    </ActWithReason>
  )
}

function DeleteQuestion({ user, onClose }: Props) {
  const { id: userId, name, signIn } = user
  const router = useRouter()
  return (
    <ActWithReason
      title={`Delete ${name}`}
      failed="Not deleted"
      done={`Deleted ${name}`}
      send={(reason) => removeUser({ userId, reason })}
      onDone={() => router.push('/users')}
      onClose={onClose}
    >
      This cannot be undone. Runs and audit entries stay; notes are deleted. {runsStopped(user)}
      {signIn === 'identity-provider' && ` ${staysOutsideOnly}`}
    </ActWithReason>
  )
}

const loses = 'They keep their own runs and what their groups may use. Their other active runs end.'
const gains = 'They may use everything, change every setting and read every run.'
const staysOutsideOnly = 'The identity provider may let them in again; disabling keeps them out.'

/** Shows a dialog for another name of an account; its e-mail address stays. */
function RenameDialog({
  user,
  onClose,
}: {
  user: { id: string; name: string }
  onClose: () => void
}) {
  const form = useActionForm({
    values: { name: user.name },
    send: ({ name }) => changeUser({ userId: user.id, name }),
    done: 'Name saved',
    onDone: onClose,
  })
  return (
    <FormDialog form={form} title={`Rename ${user.name}`} button="Rename" onClose={onClose}>
      <FormField name="name" shape={{ kind: 'text', label: 'Name' }} />
    </FormDialog>
  )
}

/** Asks for a reason, creates a one-time link and shows it. */
function ResetDialog({ user, onClose }: { user: UserDetails; onClose: () => void }) {
  const router = useRouter()
  const [link, setLink] = useState<OneTimeLink | null>(null)
  const { id: userId, name } = user
  const invited = user.state === 'invited'
  const title = invited ? 'Create new link' : `Reset password of ${name}`
  const make = async (reason: string) => {
    const result = await sendAction(() => resetSignIn({ userId, reason }))
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
      description={invited ? replaces : `${takesAway} ${runsStopped(user)} ${shownOnce}`}
      required={null}
      danger={!invited}
      failed="Not created"
      onSubmit={make}
      onClose={onClose}
    />
  )
}

const replaces = 'The earlier link stops working.'
const takesAway = 'Their password, sessions and API keys end.'
const shownOnce = 'You get a one-time link for them, shown once.'

function runsStopped({ activeRuns }: UserDetails): string {
  if (activeRuns === 0) return ''
  return activeRuns === 1 ? '1 active run stops.' : `${activeRuns} active runs stop.`
}
