import { ApprovalFilter } from '@toolgate/server/domains/approvals/schemas'
import { readPersonNames, withPersonNames } from '@toolgate/server/domains/users/person-names'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import type { Ctx } from '@toolgate/server/kernel/context'
import { readApprovals } from '@toolgate/server/runs/approvals/list-approvals'
import { type Consent, listConsents } from '@toolgate/server/toolset/schedules/consent-verbs'
import { CircleCheck } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { choiceFilter } from '@/components/list/filter-fields'
import { PageHead } from '@/components/shell/page-head'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { requireUser } from '@/lib/next/require-user'
import type { Role } from '@/lib/protocol/tool'
import { ApprovalsFrame } from '../approvals-frame'
import { PendingList } from './pending-list'
import { AnsweredSchedules, ScheduleRequests } from './schedule-consents'

export const metadata: Metadata = { title: 'Approvals' }

type Params = Record<string, string | string[] | undefined>

export default async function ApprovalsPage({ searchParams }: { searchParams: Promise<Params> }) {
  const ctx = await requireUser()
  const [{ rows, ...list }, consents] = await Promise.all([
    readPending(ctx, await searchParams),
    readConsents(ctx),
  ])
  const isAsked = ({ state }: Consent) => state === 'waiting'
  const { role } = ctx.actor
  return (
    <PageFrame kind="list">
      <PageHead title="Approvals">Calls that wait for a decision.</PageHead>
      <ScheduleRequests consents={consents.filter(isAsked)} />
      <ApprovalsFrame {...list} fields={fields} nothing={<Nothing role={role} />}>
        <PendingList rows={rows} />
      </ApprovalsFrame>
      <AnsweredSchedules consents={consents.filter((each) => !isAsked(each))} />
    </PageFrame>
  )
}

function Nothing({ role }: { role: Role }) {
  return (
    <EmptyState
      icon={CircleCheck}
      title="No calls waiting"
      action={
        <Button asChild>
          {role === 'admin' ? (
            <Link href="/approvals/rules">See the rules</Link>
          ) : (
            <Link href="/runs">See your runs</Link>
          )}
        </Button>
      }
    >
      Calls that need approval appear here.
    </EmptyState>
  )
}

/** Reads the schedules of others that run as the reader or ask to, with the names of who wrote them. */
async function readConsents(ctx: Ctx): Promise<Consent[]> {
  const { consents } = await listConsents(ctx, {})
  const nameOf = await readPersonNames(
    consents.flatMap(({ askedBy }) => askedBy),
    { withAddress: true },
  )
  return consents.map((each) => ({ ...each, askedBy: each.askedBy.map(nameOf) }))
}

const Query = ApprovalFilter.pick({ search: true, who: true, page: true })

const fields = [
  choiceFilter(
    'who',
    { label: 'Decided by', choices: [{ value: 'me', label: 'Those I may decide' }] },
    'Anybody',
  ),
]

const pageSize = 25

/** Reads one page of the waiting calls, as the address asks for it. Everything but `rows` is for the list's frame. */
async function readPending(ctx: Ctx, params: Params) {
  const { page, ...values } = lenientQuery(Query, params)
  const filter = { status: 'pending' as const, ...values, page, pageSize }
  const { approvals, total } = await readApprovals(ctx, filter)
  const rows = await withPersonNames(approvals, ['userEmail'], { withAddress: true })
  return { rows, total, pageSize, address: { path: '/approvals', values, page, sort: null } }
}
