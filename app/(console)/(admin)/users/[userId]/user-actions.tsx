'use client'
import { KeyRound, UserCheck } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import type { UserDetails } from '@/lib/domains/users/reads'
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
      {user.disabled && (
        <Button onClick={() => setQuestion('enable')}>
          <UserCheck className="size-4" aria-hidden />
          Enable
        </Button>
      )}
      <UserMenu user={user} own={own} hasFactor={hasFactor} onAsk={setQuestion} />
      {question && <UserDialog question={question} user={user} onClose={() => setQuestion(null)} />}
    </>
  )
}
