import { readPersonNames } from '@toolgate/server/domains/users/person-names'
import { readLineage } from '@toolgate/server/runs/lists/lineage'
import { recentTags } from '@toolgate/server/runs/mark-run'
import { readRun } from '@toolgate/server/runs/read-run'
import type { Metadata } from 'next'
import { PageFrame } from '@/components/ui/page-frame'
import { requireUser } from '@/lib/next/require-user'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { openingOf } from '@/lib/protocol/run/run-opening'
import { firstWords } from '@/lib/words/clean-text'
import { pageTitle } from '@/lib/words/page-title'
import { findRun } from './find-run'
import { LineageFacts } from './lineage'
import { RunFacts } from './run-facts'
import { RunMarks } from './run-marks'
import { RunView } from './run-view'

type Props = { params: Promise<{ runId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { prompt } = await findRun((await params).runId)
  return pageTitle(prompt, 'Runs')
}

export default async function RunPage({ params }: Props) {
  const ctx = await requireUser()
  const { runId } = await params
  await findRun(runId)
  const [{ events, ...record }, known, lineage] = await Promise.all([
    readRun(ctx, runId),
    recentTags(ctx),
    readLineage(ctx, runId),
  ])
  const state = foldRun(events)
  const title = firstWords(record.prompt)
  const by = state.start?.actor.email ?? 'unknown'
  const nameOf = await readPersonNames([by, record.note?.by])
  const note = record.note && { ...record.note, by: nameOf(record.note.by) }
  return (
    <PageFrame kind="detail">
      <h1 className="line-clamp-2 text-xl [overflow-wrap:anywhere]">{title}</h1>
      <RunMarks runId={runId} tags={record.tags} note={note} known={known} />
      <RunFacts
        record={record}
        start={state.start}
        by={nameOf(by)}
        admin={ctx.actor.role === 'admin'}
      />
      <LineageFacts runId={runId} lineage={lineage} />
      <RunView
        key={runId}
        runId={runId}
        userId={ctx.actor.userId}
        title={title}
        initial={openingOf(state)}
        waiting={record.waiting}
      />
    </PageFrame>
  )
}
