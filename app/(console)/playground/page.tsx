import type { Metadata } from 'next'
import { requireUser } from '@/lib/auth/require-user'
import { listConfigurations } from '@/lib/configurations/list-configurations'
import type { Ctx } from '@/lib/context'
import { NotFoundError } from '@/lib/errors'
import { foldRun, type RunState } from '@/lib/protocol/fold-run'
import { readRun } from '@/lib/runs/read-run'
import { explainTools } from '@/lib/toolset/explain-tools'
import { Playground } from './playground'
import { toPickable } from './to-pickable'
import { usualConfiguration } from './usual-configuration'

export const metadata: Metadata = { title: 'Playground' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

/** `?run=` rejoins a run, `?from=` fills the form with what a run was started with. */
export default async function PlaygroundPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireUser()
  const { run, from } = await searchParams
  const [configurations, joined, model] = await Promise.all([
    listConfigurations(ctx),
    readState(ctx, run),
    readState(ctx, from),
  ])
  const wanted = (joined ?? model)?.state.start?.snapshot.configurationId ?? null
  const configuration = usualConfiguration(configurations, wanted)
  const tools = await explainTools(ctx, { userId: null, configuration, selected: null })
  return (
    <Playground
      key={joined?.runId ?? model?.runId ?? 'new'}
      role={ctx.actor.role}
      userId={ctx.actor.userId}
      configurations={configurations}
      explained={{ configurationId: configuration, tools: tools.map(toPickable) }}
      joined={joined}
      from={model?.state.start ?? null}
      missing={typeof run === 'string' && joined === null}
    />
  )
}

async function readState(
  ctx: Ctx,
  runId: string | string[] | undefined,
): Promise<{ runId: string; state: RunState } | null> {
  if (typeof runId !== 'string') return null
  try {
    const { events } = await readRun(ctx, runId)
    return { runId, state: foldRun(events) }
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
