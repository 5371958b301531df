import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import type { Ctx } from '@toolgate/server/kernel/context'
import { listRuns } from '@toolgate/server/runs/lists/list-runs'
import { defaultRunSort } from '@toolgate/server/runs/schemas'
import type { ReactNode } from 'react'
import { RunQuery, runFields, toAddress, toRunFilter } from '@/app/(console)/runs/(list)/run-filter'
import { ListFrame } from '@/components/list/list-frame'
import { PageHead } from '@/components/shell/page-head'
import { PageFrame } from '@/components/ui/page-frame'
import { readerZone } from '@/lib/next/reader-zone'
import { rowsPerPage } from '@/lib/shape/resource'
import { NameRun, PickRun } from './pick-run'

const OtherQuery = RunQuery.pick({
  search: true,
  period: true,
  failure: true,
  state: true,
  from: true,
  to: true,
  zone: true,
  page: true,
  cursor: true,
})

type Props = {
  ctx: Ctx
  runId: string
  title: ReactNode
  params: Record<string, string | string[] | undefined>
}

/** Lets the reader find the run to compare with: the newest first, by the filter of the list of runs, or by its id. */
export async function FindOther({ ctx, runId, title, params }: Props) {
  const request = lenientQuery(OtherQuery, params)
  const zone = request.zone ?? (await readerZone())
  const query = { ...request, zone, pageSize: rowsPerPage, sort: defaultRunSort }
  const { rows, total, capped, nextCursor } = await listRuns(ctx, toRunFilter(query))
  const { page, pageSize } = query
  const address = {
    path: `/runs/${runId}/compare`,
    values: toAddress(toRunFilter({ ...request, pageSize, sort: defaultRunSort })),
    beside: { another: 'yes' },
    page,
    sort: null,
  }
  return (
    <PageFrame kind="detail">
      <PageHead title={title}>Pick the other run.</PageHead>
      <ListFrame
        thing="run"
        address={address}
        fields={runFields(zone)}
        more={[
          { type: 'moment', name: 'from', label: 'From' },
          { type: 'moment', name: 'to', label: 'Until' },
        ]}
        total={total}
        capped={capped ? { pages: rows.length < pageSize ? page : Number.POSITIVE_INFINITY } : null}
        nextCursor={nextCursor}
        pageSize={pageSize}
        searched="prompt, configuration, task and user"
        nothing={null}
      >
        <PickRun
          runId={runId}
          others={rows.filter((row) => row.runId !== runId)}
          admin={ctx.actor.role === 'admin'}
        />
      </ListFrame>
      <NameRun runId={runId} />
    </PageFrame>
  )
}
