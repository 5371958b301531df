import { listConfigurations } from '@toolgate/server/domains/configurations/usable'
import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import { lenientQuery, type Params } from '@toolgate/server/edge/lenient-query'
import { listCheckRuns } from '@toolgate/server/runs/checks/read-check-runs'
import { withConfigurations } from '@toolgate/server/runs/checks/read-for-pages'
import { visibleOf } from '@toolgate/server/runs/require-run'
import type { Metadata } from 'next'
import { z } from 'zod'
import { AssertionList } from '@/components/checks/assertion-list'
import { LeftOut } from '@/components/checks/left-out'
import { PageHead } from '@/components/shell/page-head'
import { LongText } from '@/components/trace/long-text'
import { VisibleText } from '@/components/trace/visible-text'
import { PageFrame } from '@/components/ui/page-frame'
import { PageLinks } from '@/components/ui/page-links'
import { Section } from '@/components/ui/section'
import { requireUser } from '@/lib/next/require-user'
import { pageTitle } from '@/lib/words/page-title'
import { CheckHistory } from '../check-history'
import { findCheck } from '../find-checks'
import { CheckActions } from './check-actions'
import { CheckFacts } from './check-facts'
import { RecordedCalls } from './recorded-calls'

type Props = { params: Promise<{ checkId: string }>; searchParams: Promise<Params> }

const shownRuns = 20
const History = z.object({ page: z.coerce.number().int().min(1).max(100_000).default(1) })

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await findCheck((await params).checkId)
  return pageTitle(name, 'Checks')
}

/** Shows a check: what it asserts, what it keeps of its run, and what its runs found. */
export default async function CheckPage({ params, searchParams }: Props) {
  const ctx = await requireUser()
  const check = await findCheck((await params).checkId)
  const { id, name, description, mayEdit, configuration } = check
  const { page } = lenientQuery(History, await searchParams)
  const [{ runs, total }, configurations, visible] = await Promise.all([
    listCheckRuns(ctx, { id, page, pageSize: shownRuns }),
    listConfigurations(ctx),
    visibleOf(ctx, check.runId === null ? [] : [check.runId]),
  ])
  const before = await listCheckRuns(ctx, { id, page: page * shownRuns + 1, pageSize: 1 })
  const history = await withConfigurations(runs, before.runs, id)
  const [author = check] = await withPersonNames([check], ['createdByLabel'])
  const pages = Math.ceil(total / shownRuns)
  return (
    <PageFrame kind="detail">
      <PageHead
        title={<VisibleText text={name} />}
        action={
          <CheckActions
            check={{ id, name, mayEdit, configuration }}
            configurations={configurations.map((each) => ({ id: each.id, name: each.name }))}
          />
        }
      >
        {description === '' ? 'A saved run that tests itself.' : <VisibleText text={description} />}
      </PageHead>
      <CheckFacts
        check={{ ...check, createdByLabel: author.createdByLabel }}
        admin={ctx.actor.role === 'admin'}
        hasRun={check.runId !== null && visible.has(check.runId)}
      />
      <LeftOut sentences={check.leftOut} />
      <Section title="Assertions">
        <AssertionList assertions={check.assertions} />
      </Section>
      <Section title="Results">
        {total === 0 ? (
          <p className="text-muted">Not run yet. Press Run to see what it finds.</p>
        ) : (
          <CheckHistory
            rows={await withPersonNames(history, ['by'])}
            address={{ path: `/checks/${id}`, values: {}, page, sort: null }}
          />
        )}
        {total > 0 && page > pages && <p className="text-muted">This page does not exist.</p>}
        <PageLinks
          of="results"
          page={page}
          pages={pages}
          hrefOf={(next) => `/checks/${id}?page=${next}#results`}
        />
      </Section>
      <Section title="Prompt">
        <LongText text={check.prompt} label="Prompt of the check" mono={false} />
      </Section>
      <Section title="Recorded results">
        <RecordedCalls recordings={check.recordings} />
      </Section>
    </PageFrame>
  )
}
