import { auditDiff } from '@toolgate/server/domains/audit/audit-diff'
import { AuditFilter } from '@toolgate/server/domains/audit/audit-filter'
import { listAudit, listAuditWords } from '@toolgate/server/domains/audit/list-audit'
import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import { ScrollText, SearchX } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { AuditList } from '@/components/audit/audit-entry'
import { AddressFilter } from '@/components/forms/address-filter'
import { addressOf } from '@/components/forms/address-of'
import { ExportLinks } from '@/components/list/links'
import { PageHead } from '@/components/shell/page-head'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { requireAdmin } from '@/lib/next/require-user'
import { rowsPerPage } from '@/lib/shape/resource'
import { countOf, formatCount } from '@/lib/words/format'
import { auditFields } from './audit-fields'
import { readNarrowed } from './read-narrowed'

export const metadata: Metadata = { title: 'Audit' }

const Query = AuditFilter.extend({ limit: AuditFilter.shape.limit.default(rowsPerPage) })

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function AuditPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const filter = lenientQuery(Query, await searchParams)
  const { limit, cursor, ...values } = filter
  const [{ rows: found, nextCursor, total, capped }, words, narrowed] = await Promise.all([
    listAudit(ctx, filter),
    listAuditWords(ctx),
    readNarrowed(ctx, values),
  ])
  const rows = await withPersonNames(found, ['actor'])
  return (
    <PageFrame kind="list">
      <PageHead title="Audit" action={<ExportLinks route="/api/audit/export" values={values} />}>
        Every change: who, when, from where, before and after.
      </PageHead>
      <AddressFilter
        fields={auditFields(words, values, narrowed)}
        count={capped ? `${formatCount(total)}+ entries` : countOf(total, 'entry', 'entries')}
      />
      {rows.length === 0 ? (
        <Nothing narrowed={Object.values(values).some((value) => value !== undefined)} />
      ) : (
        <AuditList
          entries={rows.map(({ before, after, ...entry }) => {
            return { ...entry, changes: auditDiff(before, after) }
          })}
        />
      )}
      <nav aria-label="Pages of changes" className="flex justify-end gap-2">
        {cursor && (
          <Button asChild size="sm">
            <Link href={addressOf('/audit', values)}>Newest</Link>
          </Button>
        )}
        {nextCursor && (
          <Button asChild size="sm">
            <Link href={addressOf('/audit', { ...values, cursor: nextCursor })} rel="next">
              Older
            </Link>
          </Button>
        )}
      </nav>
    </PageFrame>
  )
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  if (!narrowed) {
    return <EmptyState icon={ScrollText} title="No entries yet" />
  }
  return (
    <EmptyState
      icon={SearchX}
      title="No entry matches this filter"
      action={
        <Button asChild>
          <Link href="/audit">Clear filter</Link>
        </Button>
      }
    />
  )
}
