import { CheckFilter, type CheckSortKey } from '@toolgate/server/domains/checks/schemas'
import { listChecks } from '@toolgate/server/domains/checks/verbs'
import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import { lenientQuery, type Params } from '@toolgate/server/edge/lenient-query'
import { ClipboardCheck } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import type { FilterField } from '@/components/forms/address-filter'
import type { ListAddress } from '@/components/list/list-address'
import { ListFrame } from '@/components/list/list-frame'
import { PageHead } from '@/components/shell/page-head'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { requireUser } from '@/lib/next/require-user'
import { CheckList } from './check-list'
import { ImportChecks } from './import-checks'

export const metadata: Metadata = { title: 'Checks' }

const fields: readonly FilterField[] = [
  { type: 'search', name: 'search', label: 'Search checks' },
  {
    type: 'choice',
    name: 'state',
    label: 'Last result',
    any: 'Any result',
    options: [{ value: 'red', label: 'Not passed' }],
  },
]

/** Shows the checks that the reader may see, each with its last result. */
export default async function ChecksPage({ searchParams }: { searchParams: Promise<Params> }) {
  const ctx = await requireUser()
  const { configuration: _, ...filter } = lenientQuery(CheckFilter, await searchParams)
  const { checks, total } = await listChecks(ctx, filter)
  const { page, pageSize, sort, search, state } = filter
  const address: ListAddress<CheckSortKey> = {
    path: '/checks',
    values: { search, state },
    page,
    sort: { by: sort, default: 'name' },
  }
  return (
    <PageFrame kind="list">
      <PageHead title="Checks" action={<ImportChecks />}>
        Saved runs that are run again as tests.
      </PageHead>
      <ListFrame
        thing="check"
        address={address}
        fields={fields}
        total={total}
        pageSize={pageSize}
        searched="name, description and prompt"
        nothing={<NoChecks />}
      >
        <CheckList rows={await withPersonNames(checks, ['createdByLabel'])} address={address} />
      </ListFrame>
    </PageFrame>
  )
}

function NoChecks() {
  return (
    <EmptyState
      icon={ClipboardCheck}
      title="No checks yet"
      action={
        <Button asChild variant="primary">
          <Link href="/runs">Open runs</Link>
        </Button>
      }
    >
      A check runs a saved prompt again and tests the outcome. Open a run that ended and save it as
      a check.
    </EmptyState>
  )
}
