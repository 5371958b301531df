import { randomUUID } from 'node:crypto'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { RunUpdate } from '@/lib/protocol/run/run-delta'
import type { Engine } from '@/lib/runs/engine/engine'
import { watchRun } from '@/lib/runs/journal/watch-run'
import type { StartRunInput } from '@/lib/runs/schemas'
import { startRun } from '@/lib/runs/start/start-run'
import { addLocalModel } from './add-local-model'
import { db } from './fixture-db'
import { addPerson } from './people'
import { onEngine } from './test-engine'

/** Person and configuration of a run. */
export type RunSite = { admin: Ctx; configuration: string }

/** Adds an admin, and a configuration whose model is served at `url`. */
export async function addRunSite(
  url: string,
  wire: ModelTarget['wire'] = 'openai-compatible',
): Promise<RunSite> {
  const admin = await addPerson('admin')
  const tag = randomUUID().slice(0, 8)
  const modelId = await addLocalModel(admin, { wire, connectionName: `Local ${wire} ${tag}`, url })
  const identifier = `local-${tag}`
  const { id } = await createConfiguration(admin, {
    identifier,
    name: `Local ${tag}`,
    modelId,
    maxRounds: 5,
  })
  // Most runs of tests write after they read, and are about something else.
  await db().configuration.update({ where: { id }, data: { afterUntrusted: 'allow' } })
  return { admin, configuration: identifier }
}

/** Starts a run on the engine of this process, or on `engine`. */
export function start(
  site: RunSite,
  prompt: string,
  wishes: Partial<StartRunInput> = {},
  engine?: Engine,
) {
  const input = {
    configuration: site.configuration,
    prompt,
    tools: null,
    maxRounds: null,
    idempotencyKey: null,
    ...wishes,
  }
  const begin = () => startRun(site.admin, input)
  return engine ? onEngine(engine, begin) : begin()
}

/** Follows a run, with the answers as they stream, from `after` to its end, or until `until` says so; beside the engine of this process, or `engine`. */
export async function collect(
  ctx: Ctx,
  runId: string,
  options: { after?: number; until?: (update: RunUpdate) => boolean; engine?: Engine } = {},
): Promise<RunUpdate[]> {
  const controller = new AbortController()
  const updates: RunUpdate[] = []
  const watched = { after: { seq: options.after ?? 0 }, signal: controller.signal }
  for await (const batch of watchRun(ctx, runId, watched, options.engine)) {
    updates.push(...batch)
    if (options.until && batch.some(options.until)) break
  }
  controller.abort()
  return updates
}
