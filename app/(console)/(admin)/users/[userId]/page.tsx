import { listSecondFactors } from '@toolgate/server/auth/factors/second-factor'
import { listApiKeys } from '@toolgate/server/domains/api-keys/verbs'
import { auditDiff } from '@toolgate/server/domains/audit/audit-diff'
import { AuditFilter } from '@toolgate/server/domains/audit/audit-filter'
import { listAudit } from '@toolgate/server/domains/audit/list-audit'
import { budgetVerbs } from '@toolgate/server/domains/budgets/verbs'
import { listGroupNames } from '@toolgate/server/domains/groups/reads'
import { readKeySpend } from '@toolgate/server/domains/usage/spend'
import { passwordSignInIsOn } from '@toolgate/server/domains/users/passwords'
import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import { listSessions } from '@toolgate/server/domains/users/reads'
import { limitChoices } from '@toolgate/server/joined-verbs'
import type { Metadata } from 'next'
import Link from 'next/link'
import { AuditList } from '@/components/audit/audit-entry'
import { KeyList } from '@/components/people/key-list'
import { SessionList } from '@/components/people/session-list'
import { stateWords, suspendedWords } from '@/components/people/user-words'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import { SideIndex } from '@/components/ui/side-index'
import { StatePill } from '@/components/ui/state-pill'
import { budgets } from '@/lib/domains/budgets/shape'
import { currentSession, requireAdmin } from '@/lib/next/require-user'
import { pageTitle } from '@/lib/words/page-title'
import { endUserSession, limitUserKey, revokeUserKey, switchOnUserKey } from '../actions'
import { findUserDetails } from './find-user-details'
import { AccountSwitch, EndAllButton, UserActions } from './user-actions'
import { UserBudgets } from './user-budgets'
import { UserFacts } from './user-facts'
import { UserGroups } from './user-groups'
import { UserSpend } from './user-spend'

type Props = { params: Promise<{ userId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await findUserDetails((await params).userId)
  return pageTitle(name, 'People')
}

export default async function UserPage({ params }: Props) {
  const ctx = await requireAdmin()
  const user = await findUserDetails((await params).userId)
  const [factors, sessions, keys, choices, groups, audit, session, known] = await Promise.all([
    listSecondFactors(ctx, user.id),
    listSessions(ctx, user.id),
    listApiKeys(ctx, user.id),
    limitChoices(ctx),
    listGroupNames(ctx),
    listAudit(ctx, AuditFilter.parse({ actorId: user.id, limit: 10 })),
    currentSession(),
    budgetVerbs.list(ctx, { scope: 'user', sort: budgets.order }),
  ])
  const spend = await readKeySpend(
    ctx,
    keys.map(({ id }) => id),
  )
  const changes = await withPersonNames(audit.rows, ['actor'])
  const { pill, word } = stateWords[user.state]
  const own = user.id === ctx.actor.userId
  return (
    <PageFrame kind="detail" index={<SideIndex />}>
      <PageHead
        title={<VisibleText text={user.name} />}
        state={<AccountSwitch user={user} own={own} />}
        action={
          <UserActions
            user={user}
            own={own}
            passwords={passwordSignInIsOn()}
            hasFactor={factors.factors.length > 0}
          />
        }
      >
        <p className="flex flex-wrap items-center gap-2 [overflow-wrap:anywhere]">
          {user.email} <StatePill state={pill}>{word}</StatePill>
        </p>
        {user.suspendedFor !== null && (
          <p className="[overflow-wrap:anywhere]">
            <VisibleText text={user.suspendedFor} /> {suspendedWords}
          </p>
        )}
      </PageHead>
      <UserFacts user={user} factors={factors} />
      <UserSpend ctx={ctx} userId={user.id} />
      <UserBudgets budgets={known.rows.filter(({ scopeId }) => scopeId === user.id)} />
      <UserGroups
        user={{ id: user.id, name: user.name, role: user.role }}
        mine={user.groups}
        groups={groups}
      />
      <Section
        title="Sessions"
        action={sessions.length > 0 && <EndAllButton user={user} own={own} />}
      >
        <SessionList
          sessions={sessions}
          currentId={session?.sessionId ?? null}
          end={endUserSession}
        />
      </Section>
      <Section id="api-keys" title="API keys">
        <KeyList
          keys={keys}
          spend={spend}
          linksToUsage
          limiting={{ ...choices, limit: limitUserKey }}
          switchOn={switchOnUserKey}
          revoke={revokeUserKey}
        />
      </Section>
      <Section
        title="Changes by this person"
        action={
          <Link href={`/audit?actorId=${user.id}`} className="text-link hover:underline">
            All in the audit
          </Link>
        }
      >
        {changes.length === 0 && <p className="text-muted">None yet.</p>}
        {changes.length > 0 && (
          <AuditList
            entries={changes.map(({ before, after, ...entry }) => {
              return { ...entry, changes: auditDiff(before, after) }
            })}
          />
        )}
      </Section>
    </PageFrame>
  )
}
