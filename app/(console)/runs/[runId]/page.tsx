import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireUser } from '@/lib/auth/require-user'
import type { Ctx } from '@/lib/context'
import { NotFoundError } from '@/lib/errors'
import { foldRun } from '@/lib/protocol/fold-run'
import { readRun } from '@/lib/runs/read-run'
import { RunFacts } from './run-facts'
import { RunView } from './run-view'

export const metadata: Metadata = { title: 'Run' }

export default async function RunPage({ params }: { params: Promise<{ runId: string }> }) {
  const ctx = await requireUser()
  const { runId } = await params
  const { events, ...record } = await readVisible(ctx, runId)
  const state = foldRun(events)
  return (
    <div className="mx-auto flex max-w-7xl flex-col gap-4 p-4 md:p-6">
      <div>
        <h1 className="text-xl">Run</h1>
        <p className="font-mono text-mono text-muted [overflow-wrap:anywhere]">{runId}</p>
      </div>
      <RunFacts record={record} start={state.start} />
      <RunView key={runId} runId={runId} initial={state} />
    </div>
  )
}

/** A run that is not the reader's looks like one that is not there. */
async function readVisible(ctx: Ctx, runId: string) {
  try {
    return await readRun(ctx, runId)
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}
