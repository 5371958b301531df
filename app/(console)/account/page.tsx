import { listSecondFactors } from '@toolgate/server/auth/factors/second-factor'
import { listApiKeys } from '@toolgate/server/domains/api-keys/verbs'
import { readKeySpend } from '@toolgate/server/domains/usage/spend'
import { listSessions, readUser, type UserDetails } from '@toolgate/server/domains/users/reads'
import { limitChoices } from '@toolgate/server/joined-verbs'
import { listOwnAccounts } from '@toolgate/server/toolset/servers/accounts/verbs'
import type { Metadata } from 'next'
import Link from 'next/link'
import { ActButton } from '@/components/forms/confirm-dialog'
import { KeyList } from '@/components/people/key-list'
import { SessionList } from '@/components/people/session-list'
import { roleWords } from '@/components/people/user-words'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import { SideIndex } from '@/components/ui/side-index'
import { currentSession, requireUser } from '@/lib/next/require-user'
import { endOtherSessions, endOwnSession, limitKey, revokeKey } from './actions'
import { ConnectedAccounts } from './connected-accounts'
import { NewKeyButton } from './new-key-form'
import { NameForm, PasswordForm } from './own-forms'
import { OwnFactors } from './second-factor/own-factors'

export const metadata: Metadata = { title: 'Your account' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function AccountPage({ searchParams }: Props) {
  const ctx = await requireUser()
  const { userId } = ctx.actor
  const [user, factors, sessions, keys, choices, session, accounts, { connect }] =
    await Promise.all([
      readUser(ctx, userId),
      listSecondFactors(ctx, userId),
      listSessions(ctx, userId),
      listApiKeys(ctx, userId),
      ctx.actor.role === 'admin' ? limitChoices(ctx) : null,
      currentSession(),
      listOwnAccounts(ctx, {}),
      searchParams,
    ])
  const spend = await readKeySpend(
    ctx,
    keys.map(({ id }) => id),
  )
  return (
    <PageFrame kind="detail" index={<SideIndex />}>
      <PageHead title="Your account">
        <span className="[overflow-wrap:anywhere]">{user.email}</span> · {roleWords[user.role]}
        {user.groups.length > 0 && (
          <>
            {' '}
            · in <VisibleText text={user.groups.join(', ')} />
          </>
        )}
      </PageHead>
      <NameForm name={user.name} />
      <ConnectedAccounts accounts={accounts} outcome={connect} />
      <Section id="password" title="Password">
        <PasswordPart user={user} />
      </Section>
      <Section id="second-factor" title="Second factor">
        {user.signIn === 'password' ? (
          <OwnFactors factors={factors} />
        ) : (
          <p className="text-muted">It needs a password, which this account lacks.</p>
        )}
      </Section>
      <Section
        id="sessions"
        title="Sessions"
        action={
          sessions.length > 1 && (
            <ActButton
              send={endOtherSessions.bind(null, null)}
              done="Other sessions ended"
              failed="Not ended"
            >
              End all others
            </ActButton>
          )
        }
      >
        <SessionList
          sessions={sessions}
          currentId={session?.sessionId ?? null}
          end={endOwnSession}
        />
      </Section>
      <Section
        id="api-keys"
        title="API keys"
        action={<NewKeyButton admin={user.role === 'admin'} choices={choices} />}
      >
        <p className="text-muted">
          For programs that start runs for you.{' '}
          <Link href="/account/api" className="underline underline-offset-2">
            See the API
          </Link>
        </p>
        <KeyList
          keys={keys}
          spend={spend}
          linksToUsage={ctx.actor.role === 'admin'}
          {...(choices && { limiting: { ...choices, limit: limitKey } })}
          revoke={revokeKey}
        />
      </Section>
    </PageFrame>
  )
}

function PasswordPart({ user }: { user: UserDetails }) {
  if (user.signIn === 'password') return <PasswordForm email={user.email} />
  return (
    <p className="text-muted">
      {user.signIn === 'identity-provider'
        ? 'Change it at your organisation’s identity provider.'
        : 'None. Ask an admin for a link to set one.'}
    </p>
  )
}
