import { listConfigurations } from '@toolgate/server/domains/configurations/usable'
import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import { lenientQuery, type Params } from '@toolgate/server/edge/lenient-query'
import { listSuiteRuns } from '@toolgate/server/runs/checks/read-check-runs'
import { withConfigurations } from '@toolgate/server/runs/checks/read-for-pages'
import type { Metadata } from 'next'
import { z } from 'zod'
import { CheckHistory } from '@/app/(console)/checks/check-history'
import { findSuiteRuns, suiteRunsShown } from '@/app/(console)/checks/find-checks'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { PageFrame } from '@/components/ui/page-frame'
import { PageLinks } from '@/components/ui/page-links'
import { requireUser } from '@/lib/next/require-user'
import { pageTitle } from '@/lib/words/page-title'
import { RunSuite } from '../run-suite'

type Props = { params: Promise<{ suite: string }>; searchParams: Promise<Params> }

const History = z.object({ page: z.coerce.number().int().min(1).max(100_000).default(1) })

const suiteOf = async ({ params }: Props) => decodeURIComponent((await params).suite)

export async function generateMetadata(props: Props): Promise<Metadata> {
  return pageTitle(await suiteOf(props), 'Suites')
}

/** Shows the runs of a suite, with what changed before each. */
export default async function SuitePage(props: Props) {
  const ctx = await requireUser()
  const suite = await suiteOf(props)
  const { page } = lenientQuery(History, await props.searchParams)
  const { runs, total } = await findSuiteRuns(suite, page)
  const before = await listSuiteRuns(ctx, { suite, page: page * suiteRunsShown + 1, pageSize: 1 })
  const history = await withConfigurations(runs, before.runs)
  const configurations = await listConfigurations(ctx)
  const path = `/checks/suites/${encodeURIComponent(suite)}`
  const pages = Math.ceil(total / suiteRunsShown)
  return (
    <PageFrame kind="list">
      <PageHead
        title={<VisibleText text={suite} />}
        action={
          <RunSuite
            isWhole
            suite={suite}
            configurations={configurations.map(({ id, name }) => ({ id, name }))}
          />
        }
      >
        The runs of this suite.
      </PageHead>
      {total === 0 && <p className="text-muted">Not run yet. Press Run to see what it finds.</p>}
      {runs.length > 0 && (
        <CheckHistory
          rows={await withPersonNames(history, ['by'])}
          address={{ path, values: {}, page, sort: null }}
        />
      )}
      {total > 0 && page > pages && <p className="text-muted">This page does not exist.</p>}
      <PageLinks of="results" page={page} pages={pages} hrefOf={(next) => `${path}?page=${next}`} />
    </PageFrame>
  )
}
