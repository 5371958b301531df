import { readEditableConfiguration } from '@toolgate/server/domains/configurations/reads'
import { listConfigurationVersions } from '@toolgate/server/domains/configurations/version-verbs'
import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import type { Metadata } from 'next'
import Link from 'next/link'
import { z } from 'zod'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { PageFrame } from '@/components/ui/page-frame'
import { PageLinks } from '@/components/ui/page-links'
import { requireAdmin } from '@/lib/next/require-user'
import { pageTitle } from '@/lib/words/page-title'
import { findConfiguration } from '../find-configuration'
import { Compare } from './compare'
import { Versions } from './versions'

type Props = {
  params: Promise<{ configurationId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const number = z.coerce.number().int().min(1).max(1_000_000_000)
const Query = z.object({
  page: number.default(1),
  from: number.optional(),
  to: number.optional(),
})

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await findConfiguration((await params).configurationId)
  return pageTitle(`History of ${name}`, 'Configurations')
}

export default async function HistoryPage({ params, searchParams }: Props) {
  const ctx = await requireAdmin()
  const { id, name } = await findConfiguration((await params).configurationId)
  const { page, from, to } = lenientQuery(Query, await searchParams)
  const [{ versions, total, pageSize }, { version, form }] = await Promise.all([
    listConfigurationVersions(ctx, id, page),
    readEditableConfiguration(ctx, { id }),
  ])
  const path = `/configurations/${id}/history`
  return (
    <PageFrame kind="detail">
      <PageHead
        title={
          <>
            History of <VisibleText text={name} />
          </>
        }
        action={
          <Link href={`/configurations/${id}`} className="text-link underline underline-offset-2">
            Back
          </Link>
        }
      >
        Runs keep the version they started with.
      </PageHead>
      {version > 1 && (
        <Compare ctx={ctx} configurationId={id} latest={version} from={from} to={to} />
      )}
      <Versions
        configurationId={id}
        versions={await withPersonNames(versions, ['createdByLabel'])}
        shown={pageSize}
        total={total}
        current={{ version, form }}
        compared={from !== undefined && to !== undefined ? [from, to] : null}
      />
      <PageLinks
        of="versions"
        page={page}
        pages={Math.ceil(total / pageSize)}
        hrefOf={(n) => `${path}?page=${n}`}
      />
    </PageFrame>
  )
}
