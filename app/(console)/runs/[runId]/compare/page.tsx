import { readComparison } from '@toolgate/server/runs/lists/compare'
import { readRunRecord } from '@toolgate/server/runs/read-run'
import type { Metadata } from 'next'
import Link from 'next/link'
import { DifferenceList } from '@/components/nouns/difference-list'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import { orNotFound } from '@/lib/next/or-not-found'
import { requireUser } from '@/lib/next/require-user'
import { firstWords } from '@/lib/words/clean-text'
import { pageTitle } from '@/lib/words/page-title'
import { findRun } from '../find-run'
import { ComparedAnswers } from './compared-answers'
import { ComparedCalls } from './compared-calls'
import { ComparedFigures } from './compared-figures'
import { ComparedRuns } from './compared-runs'
import { FindOther } from './find-other'

type Props = {
  params: Promise<{ runId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { prompt } = await findRun((await params).runId)
  return pageTitle(`Compare ${firstWords(prompt)}`, 'Runs')
}

/**
 * Shows two runs side by side: `?with=` names the one before; without it, the one that this run is with a change. With `?another`,
 * the reader finds one.
 */
export default async function ComparePage({ params, searchParams }: Props) {
  const ctx = await requireUser()
  const { runId } = await params
  const run = await findRun(runId)
  const request = await searchParams
  const { with: named, another } = request
  const title = <VisibleText text={`Compare ${firstWords(run.prompt)}`} />
  const otherId = typeof named === 'string' && named !== '' ? named.trim() : run.changedFrom
  if (otherId === null || another !== undefined)
    return <FindOther ctx={ctx} runId={runId} title={title} params={request} />
  const other = await orNotFound(() => readRunRecord(ctx, otherId))
  const { sent, answers, calls, figures } = await readComparison(ctx, runId, otherId)
  return (
    <PageFrame kind="detail">
      <PageHead
        title={title}
        action={
          <Button asChild>
            <Link href={`/runs/${runId}/compare?another=yes`}>Compare with another run</Link>
          </Button>
        }
      >
        What was sent, returned and spent.
      </PageHead>
      <ComparedRuns before={other} after={run} />
      <Section title="What was sent">
        {sent.length === 0 ? (
          <p>The same in both runs.</p>
        ) : (
          <DifferenceList
            differences={sent.map((each) => ({ ...each, field: each.label }))}
            emptyWords={() => 'none'}
          />
        )}
      </Section>
      <Section title="Tokens, cost and time">
        <ComparedFigures figures={figures} />
      </Section>
      <Section title="Answers">
        <ComparedAnswers answers={answers} />
      </Section>
      <Section title="Calls">
        <ComparedCalls calls={calls} before={other.runId} after={run.runId} />
      </Section>
    </PageFrame>
  )
}
