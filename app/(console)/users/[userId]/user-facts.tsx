import type { ReactNode } from 'react'
import { roleWords } from '@/components/people/user-words'
import { VisibleText } from '@/components/trace/visible-text'
import { Card } from '@/components/ui/card'
import { RelativeTime } from '@/components/ui/relative-time'
import type { UserDetails } from '@/lib/users/read-user'

export function UserFacts({ user }: { user: UserDetails }) {
  return (
    <Card className="p-3">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3 lg:grid-cols-5">
        <Fact label="Role">{roleWords[user.role]}</Fact>
        <Fact label="Signs in with">
          <SignInWay user={user} />
        </Fact>
        <Fact label="Last sign-in">
          {user.lastSignInAt ? <RelativeTime at={user.lastSignInAt} /> : 'Never'}
        </Fact>
        <Fact label="Added">
          <RelativeTime at={user.createdAt} />
        </Fact>
        <Fact label="One-time link">
          {user.linkExpiresAt ? (
            <>
              open, ends <RelativeTime at={user.linkExpiresAt} />
            </>
          ) : (
            'None open'
          )}
        </Fact>
      </dl>
    </Card>
  )
}

function SignInWay({ user }: { user: UserDetails }) {
  switch (user.signIn) {
    case 'password':
      return 'Password'
    case 'identity-provider':
      return <VisibleText text={user.oidcIssuer ?? 'Identity provider'} />
    case 'none':
      return 'Nothing yet'
    default:
      return user.signIn satisfies never
  }
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="text-strong [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
