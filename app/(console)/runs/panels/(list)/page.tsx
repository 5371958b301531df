import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import { PanelFilter } from '@toolgate/server/runs/panels/panel-schemas'
import { listPanels } from '@toolgate/server/runs/panels/panels'
import { Columns3 } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import type { FilterField } from '@/components/forms/address-filter'
import { ListFrame } from '@/components/list/list-frame'
import { PageHead } from '@/components/shell/page-head'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { requireUser } from '@/lib/next/require-user'
import { PanelList } from './panel-list'

export const metadata: Metadata = { title: 'Panels · Runs' }

const fields: readonly FilterField[] = [
  { type: 'search', name: 'search', label: 'Search panels' },
  {
    type: 'choice',
    name: 'chosen',
    label: 'Choice',
    any: 'All',
    options: [
      { value: 'yes', label: 'An answer is chosen' },
      { value: 'no', label: 'None is chosen' },
    ],
  },
]

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function PanelsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireUser()
  const filter = lenientQuery(PanelFilter, await searchParams)
  const { panels, total } = await listPanels(ctx, filter)
  const { page, pageSize, ...values } = filter
  const admin = ctx.actor.role === 'admin'
  const address = { path: '/runs/panels', values, page, sort: null }
  return (
    <PageFrame kind="list">
      <PageHead title="Panels">Prompts on several configurations at once.</PageHead>
      <ListFrame
        thing="panel"
        address={address}
        fields={fields}
        total={total}
        pageSize={pageSize}
        searched="prompts"
        nothing={<NoPanels />}
      >
        <PanelList rows={panels} admin={admin} address={address} />
      </ListFrame>
    </PageFrame>
  )
}

function NoPanels() {
  return (
    <EmptyState
      icon={Columns3}
      title="No panels yet"
      action={
        <Button asChild variant="primary">
          <Link href="/playground?compare=on">Compare configurations</Link>
        </Button>
      }
    >
      A panel runs one prompt on two to eight configurations.
    </EmptyState>
  )
}
