import type { Metadata } from 'next'
import { requireUser } from '@/lib/auth/require-user'
import { firstWords } from '@/lib/protocol/clean-text'
import { foldRun } from '@/lib/protocol/fold-run'
import { recentTags } from '@/lib/runs/mark-run'
import { readRun } from '@/lib/runs/read-run'
import { findRun } from './find-run'
import { RunFacts } from './run-facts'
import { RunMarks } from './run-marks'
import { RunView } from './run-view'

type Props = { params: Promise<{ runId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { prompt } = await findRun(await requireUser(), (await params).runId)
  return { title: `${firstWords(prompt, 60)} · Runs` }
}

export default async function RunPage({ params }: Props) {
  const ctx = await requireUser()
  const { runId } = await params
  await findRun(ctx, runId)
  const [{ events, ...record }, known] = await Promise.all([readRun(ctx, runId), recentTags(ctx)])
  const state = foldRun(events)
  const title = firstWords(record.prompt)
  return (
    <div className="mx-auto flex max-w-7xl flex-col gap-4 p-4 md:p-6">
      <h1 className="line-clamp-2 text-xl [overflow-wrap:anywhere]">{title}</h1>
      <RunMarks runId={runId} tags={record.tags} note={record.note} known={known} />
      <RunFacts record={record} start={state.start} admin={ctx.actor.role === 'admin'} />
      <RunView key={runId} runId={runId} title={title} initial={state} waiting={record.waiting} />
    </div>
  )
}
