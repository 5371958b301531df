import type { SecondFactors } from '@toolgate/server/auth/factors/second-factor'
import type { UserDetails } from '@toolgate/server/domains/users/reads'
import { roleWords } from '@/components/people/user-words'
import { VisibleText } from '@/components/trace/visible-text'
import { Card } from '@/components/ui/card'
import { Fact } from '@/components/ui/fact'
import { RelativeTime } from '@/components/ui/relative-time'

export function UserFacts({ user, factors }: { user: UserDetails; factors: SecondFactors }) {
  return (
    <Card className="p-3">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3 lg:grid-cols-6">
        <Fact label="Role">{roleWords[user.role]}</Fact>
        <Fact label="Signs in with">
          <SignInWay user={user} />
        </Fact>
        <Fact label="Second factor">{factorWords(user, factors)}</Fact>
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

function factorWords({ signIn }: UserDetails, { factors, required }: SecondFactors): string {
  if (signIn === 'identity-provider') return 'At the identity provider'
  const count = (kind: 'passkey' | 'app') => factors.filter((each) => each.kind === kind).length
  const parts = [counted(count('passkey'), 'passkey'), counted(count('app'), 'app')]
  return parts.filter(Boolean).join(', ') || (required ? 'None yet, required' : 'None')
}

function counted(count: number, noun: string): string {
  if (count === 0) return ''
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function SignInWay({ user }: { user: UserDetails }) {
  switch (user.signIn) {
    case 'password':
      return 'Password'
    case 'identity-provider':
      return <VisibleText text={user.oidcIssuer ?? 'Identity provider'} />
    case 'none':
      return 'Not set up'
    default:
      return user.signIn satisfies never
  }
}
