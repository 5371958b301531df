import { readPersonNames } from '@toolgate/server/domains/users/person-names'
import { readEarlier } from '@toolgate/server/runs/checks/read-for-pages'
import { visibleOf } from '@toolgate/server/runs/require-run'
import type { Metadata } from 'next'
import { findCheckRun } from '@/app/(console)/checks/find-checks'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { PageFrame } from '@/components/ui/page-frame'
import { RelativeTime } from '@/components/ui/relative-time'
import { requireUser } from '@/lib/next/require-user'
import { pageTitle } from '@/lib/words/page-title'
import { CheckRunActions } from './check-run-actions'
import { CheckRunFacts } from './check-run-facts'
import { CheckRunResults } from './check-run-results'
import { RefreshWhile } from './refresh-while'

type Props = { params: Promise<{ checkRunId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await findCheckRun((await params).checkRunId)
  return pageTitle(`Results of ${name}`, 'Checks')
}

/** Shows what a run of a check found, try by try. */
export default async function CheckRunPage({ params }: Props) {
  const ctx = await requireUser()
  const run = await findCheckRun((await params).checkRunId)
  const runIds = run.results.flatMap(({ runId, judged }) => [
    runId,
    ...(judged ?? []).map(({ judge }) => judge?.runId),
  ])
  const [earlier, visible, nameOf] = await Promise.all([
    readEarlier(ctx, run),
    visibleOf(
      ctx,
      runIds.flatMap((runId) => runId ?? []),
    ),
    readPersonNames([run.by, run.stoppedBy]),
  ])
  const isOpen = run.endedAt === null
  return (
    <PageFrame kind="detail">
      <RefreshWhile isOpen={isOpen} />
      <PageHead
        title={<VisibleText text={`Results of ${run.name}`} />}
        action={
          <CheckRunActions
            run={{
              isOpen,
              id: run.id,
              name: run.name,
              isSuite: run.isSuite,
              mode: run.mode,
              configurationIds: run.configurationIds,
              checks: run.checks.slice(0, 1),
            }}
          />
        }
      >
        Started by <VisibleText text={nameOf(run.by)} />, <RelativeTime at={run.createdAt} />.
      </PageHead>
      <CheckRunFacts run={{ ...run, stoppedBy: run.stoppedBy && nameOf(run.stoppedBy) }} />
      <CheckRunResults run={run} earlier={earlier} visible={visible} />
      {isOpen && <div aria-hidden className="h-16 md:hidden" />}
    </PageFrame>
  )
}
