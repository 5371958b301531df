import type { Metadata } from 'next'
import { VisibleText } from '@/components/trace/visible-text'
import { requireUser } from '@/lib/auth/require-user'
import { foldRun } from '@/lib/protocol/fold-run'
import { readRun } from '@/lib/runs/read-run'
import { findRun } from './find-run'
import { RunFacts } from './run-facts'
import { RunView } from './run-view'

export const metadata: Metadata = { title: 'Run' }

/** The maximum length of a title in characters, which is more than fits into two lines. */
const mostTitle = 200

export default async function RunPage({ params }: { params: Promise<{ runId: string }> }) {
  const ctx = await requireUser()
  const { runId } = await params
  await findRun(ctx, runId)
  const { events, ...record } = await readRun(ctx, runId)
  const state = foldRun(events)
  return (
    <div className="mx-auto flex max-w-7xl flex-col gap-4 p-4 md:p-6">
      <div>
        <h1 className="line-clamp-2 text-xl [overflow-wrap:anywhere]">
          <VisibleText text={record.prompt.slice(0, mostTitle)} />
        </h1>
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          Run <span className="font-mono text-mono">{runId}</span>
        </p>
      </div>
      <RunFacts record={record} start={state.start} admin={ctx.actor.role === 'admin'} />
      <RunView key={runId} runId={runId} initial={state} waiting={record.waiting} />
    </div>
  )
}
