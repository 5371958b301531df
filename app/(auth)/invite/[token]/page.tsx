import {
  type AccountLinkState,
  readAccountLink,
} from '@toolgate/server/domains/users/account-links'
import { passwordSignInIsOn } from '@toolgate/server/domains/users/passwords'
import type { Metadata } from 'next'
import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { InviteForm } from './invite-form'

export const metadata: Metadata = { title: 'Your account', referrer: 'no-referrer' }

type Props = { params: Promise<{ token: string }> }

export default async function InvitePage({ params }: Props) {
  const { token } = await params
  const state = await readAccountLink(token)
  if (!passwordSignInIsOn()) return <UnusableLink why="Passwords are switched off here." />
  if (state.type !== 'open') return <UnusableLink why={reasons[state.type]} />
  const invited = state.purpose === 'invite'
  return (
    <>
      <h1 className="mb-1 text-xl">{invited ? 'Welcome to Toolgate' : 'Enter a new password'}</h1>
      <p className="mb-6 text-muted">
        <VisibleText text={state.name} />, you sign in as{' '}
        <span className="font-medium text-strong">{state.email}</span>.
      </p>
      <InviteForm token={token} email={state.email} invited={invited} />
    </>
  )
}

const reasons: Record<Exclude<AccountLinkState['type'], 'open'>, string> = {
  used: 'It was already used.',
  revoked: 'It was revoked or replaced.',
  expired: 'It is older than 7 days.',
  unknown: 'The address is incomplete or of another installation.',
}

function UnusableLink({ why }: { why: string }) {
  return (
    <>
      <h1 className="mb-4 text-xl">This link does not work</h1>
      <Card className="flex flex-col items-start gap-3 p-4">
        <p>{why}</p>
        <p>Ask an admin for a new link, or sign in.</p>
        <Button asChild variant="primary">
          <Link href="/sign-in">Sign in</Link>
        </Button>
      </Card>
    </>
  )
}
