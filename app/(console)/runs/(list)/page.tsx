import { ListTree, SearchX } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageLinks } from '@/components/ui/page-links'
import { requireUser } from '@/lib/auth/require-user'
import { listConfigurations } from '@/lib/configurations/list-configurations'
import { listRuns } from '@/lib/runs/list-runs'
import type { RunFilter } from '@/lib/runs/schemas'
import { FilterBar } from './filter-bar'
import { RefreshWhileRunning } from './refresh-while-running'
import { RunCards } from './run-cards'
import { isNarrowed, readRunFilter, runsAddress } from './run-filter'
import { RunTable } from './run-table'

export const metadata: Metadata = { title: 'Runs' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function RunsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireUser()
  const filter = readRunFilter(await searchParams)
  const [{ rows, total }, configurations] = await Promise.all([
    listRuns(ctx, filter),
    listConfigurations(ctx),
  ])
  const admin = ctx.actor.role === 'admin'
  const choices = configurations.map(({ id, name }) => ({ id, name }))
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <div>
        <h1 className="text-xl">Runs</h1>
        <p className="max-w-[72ch] text-muted">
          {admin ? 'Every prompt that was run here' : 'Every prompt you ran'}: what it asked for,
          what it was allowed, what it cost.
        </p>
      </div>
      <FilterBar filter={filter} configurations={choices} total={total} />
      {rows.length === 0 ? (
        <Nothing filter={filter} total={total} />
      ) : (
        <>
          <RunTable rows={rows} admin={admin} />
          <RunCards rows={rows} admin={admin} />
        </>
      )}
      <PageLinks
        of="runs"
        page={filter.page}
        pages={Math.ceil(total / filter.pageSize)}
        hrefOf={(page) => runsAddress({ ...filter, page })}
      />
      <RefreshWhileRunning running={rows.some((row) => row.status !== 'ended')} />
    </div>
  )
}

function Nothing({ filter, total }: { filter: RunFilter; total: number }) {
  if (total > 0 || isNarrowed(filter)) {
    return (
      <EmptyState
        icon={SearchX}
        title={total > 0 ? 'There are not that many pages' : 'No run fits this filter'}
        action={
          <Button asChild>
            <Link href={total > 0 ? runsAddress({ ...filter, page: 1 }) : '/runs'}>
              {total > 0 ? 'Go to the first page' : 'Clear filter'}
            </Link>
          </Button>
        }
      >
        Search looks at prompt, configuration and user.
      </EmptyState>
    )
  }
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
      A run is one prompt worked to an end. Its rounds, tool calls and costs are kept here.
    </EmptyState>
  )
}
