'use client'
import type { UserDetails } from '@toolgate/server/domains/users/reads'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { Button } from '@/components/ui/button'
import { OnOffSwitch } from '@/components/ui/switch'
import { visibleText } from '@/lib/words/clean-text'
import { endUserSessions } from '../actions'
import { UserDialog, type UserQuestion } from './user-dialog'
import { UserMenu } from './user-menu'

/** Shows what an admin may do with an account. Actions that affect the person ask for a reason. */
export function UserActions({
  user,
  own,
  passwords,
  hasFactor,
}: {
  user: UserDetails
  own: boolean
  hasFactor: boolean
  passwords: boolean
}) {
  const [question, setQuestion] = useState<UserQuestion | null>(null)
  const resets = passwords && !own && !user.disabled && user.signIn !== 'identity-provider'
  return (
    <>
      {resets && (
        <Button onClick={() => setQuestion('reset')}>
          <KeyRound className="size-4" aria-hidden />
          {user.state === 'invited' ? 'New invitation link' : 'Reset password'}
        </Button>
      )}
      <UserMenu user={user} own={own} hasFactor={hasFactor} onAsk={setQuestion} />
      {question && <UserDialog question={question} user={user} onClose={() => setQuestion(null)} />}
    </>
  )
}

/** Shows whether an account is on. Both ways ask, because what ends with the account stays ended. Nobody disables their own. */
export function AccountSwitch({ user, own }: { user: UserDetails; own: boolean }) {
  const [question, setQuestion] = useState<UserQuestion | null>(null)
  const { disabled, name } = user
  return (
    <>
      <OnOffSwitch
        aria-label={`Account of ${visibleText(name)}`}
        checked={!disabled}
        disabled={own}
        title={own ? 'Only another admin can disable your account.' : undefined}
        onCheckedChange={(on) => setQuestion(on ? 'enable' : 'disable')}
      />
      {question && <UserDialog question={question} user={user} onClose={() => setQuestion(null)} />}
    </>
  )
}

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
          failed="Not ended"
          done="Sessions ended"
          send={(reason) => endUserSessions({ userId: user.id, reason })}
          onClose={() => setOpen(false)}
        >
          {own ? 'You must sign in again.' : 'They must sign in again.'} Active runs continue.
        </ActWithReason>
      )}
    </>
  )
}
