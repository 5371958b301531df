import { listConfigurations } from '@toolgate/server/domains/configurations/usable'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import { listRunnableTasks } from '@toolgate/server/joined-verbs'
import { foldPanels } from '@toolgate/server/runs/lists/fold-panels'
import { listRuns } from '@toolgate/server/runs/lists/list-runs'
import { defaultRunSort } from '@toolgate/server/runs/schemas'
import { ListTree } from 'lucide-react'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import Link from 'next/link'
import { ExportLinks } from '@/components/list/links'
import { ListFrame } from '@/components/list/list-frame'
import { PageHead } from '@/components/shell/page-head'
import { PageRefresh } from '@/components/shell/queries'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { readerZone } from '@/lib/next/reader-zone'
import { requireUser } from '@/lib/next/require-user'
import { moreFields } from './more-fields'
import { listHref, openView } from './open-view'
import { packRows } from './packed-rows'
import { RunColumnsMenu } from './run-columns-menu'
import { RunQuery, runFields, toAddress, toRunFilter } from './run-filter'
import { RunList } from './run-list'
import { RunViews } from './run-views'

export const metadata: Metadata = { title: 'Runs' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function RunsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireUser()
  const params = await searchParams
  const request = lenientQuery(RunQuery, params)
  const query = { ...request, zone: request.zone ?? (await readerZone()) }
  const filter = toRunFilter(query)
  const { page, pageSize, sort } = query
  const [{ rows, total, capped, nextCursor }, opened, configurations, tasks] = await Promise.all([
    listRuns(ctx, filter),
    openView(ctx, params, toRunFilter(request)),
    listConfigurations(ctx),
    listRunnableTasks(ctx, {}),
  ])
  const [listed, more] = await Promise.all([
    foldPanels(ctx, filter, rows),
    moreFields(ctx, query, configurations, tasks),
  ])
  const { query: saved, view, columns, isOwnChoice, beside, ...views } = opened
  const values = toAddress(toRunFilter(request))
  const viewHref = view && listHref(saved, { view: view.id })
  const { status, reason } = filter
  const exported = { ...toAddress(filter), state: undefined, status, reason }
  const admin = ctx.actor.role === 'admin'
  const address = {
    path: '/runs',
    values,
    beside,
    page,
    sort: { by: sort, default: defaultRunSort },
  }
  return (
    <PageFrame kind="list">
      <PageHead
        title="Runs"
        action={<ExportLinks route="/api/runs/export" values={{ ...exported, sort }} />}
      >
        Prompts with their calls and cost.
      </PageHead>
      <div className="flex flex-wrap items-center justify-between gap-2 max-md:contents">
        <RunViews
          {...views}
          view={view}
          admin={admin}
          columns={columns}
          query={saved}
          isNarrowed={isOwnChoice || Object.keys(values).length > 0 || sort !== defaultRunSort}
          plainHref={listHref(saved, {})}
          viewHref={viewHref}
        />
        <div className="hidden md:block">
          <RunColumnsMenu
            admin={admin}
            chosen={columns}
            isOwnChoice={isOwnChoice}
            viewHref={viewHref}
          />
        </div>
      </div>
      <ListFrame
        thing="run"
        address={address}
        fields={runFields(query.zone)}
        more={more}
        total={total}
        capped={capped ? { pages: pagesOf(rows.length, query) } : null}
        nextCursor={nextCursor}
        pageSize={pageSize}
        searched="prompt, configuration, task and user"
        nothing={<NoRuns />}
      >
        {listed.length > 0 ? (
          <RunList
            rows={packRows(listed)}
            columns={columns}
            admin={admin}
            address={address}
            phone={isPhone(await headers())}
          />
        ) : (
          <p>These runs belong to panels on earlier pages.</p>
        )}
      </ListFrame>
      <PageRefresh everyMs={listed.some((row) => row.status !== 'ended') ? 3_000 : null} />
    </PageFrame>
  )
}

/** Returns whether the browser says that it runs on a phone. Only for the first paint: then the width of the window counts. */
function isPhone(headers: Pick<Headers, 'get'>): boolean {
  const hint = headers.get('sec-ch-ua-mobile')
  if (hint !== null) return hint === '?1'
  return /\bMobile\b/.test(headers.get('user-agent') ?? '')
}

/** Returns how many pages there are as far as this one shows. */
function pagesOf(rows: number, { page, pageSize }: { page: number; pageSize: number }): number {
  if (rows === 0) return page - 1
  return rows < pageSize ? page : Number.POSITIVE_INFINITY
}

function NoRuns() {
  return (
    <EmptyState
      icon={ListTree}
      title="No runs yet"
      action={
        <Button asChild variant="primary">
          <Link href="/playground">Run a prompt</Link>
        </Button>
      }
    >
      A run is one prompt, its tool calls and its answer.
    </EmptyState>
  )
}
