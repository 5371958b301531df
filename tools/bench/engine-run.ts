import { mostRounds } from '@/lib/protocol/parameters/configuration-form'
import type { RunUpdate } from '@/lib/protocol/run/run-delta'
import { watchRun } from '@/lib/runs/journal/watch-run'
import { startRun } from '@/lib/runs/start/start-run'
import { configuration, type ScratchSite } from './scratch-site'

type Site = Pick<ScratchSite, 'admin'>
type OnUpdate = (update: RunUpdate) => void

/**
 * Makes one run through the durable engine of this process, and watches it there. Resolves with its last answer.
 */
export async function engineRun(
  site: Site,
  prompt: string,
  onUpdate: OnUpdate = () => undefined,
): Promise<string> {
  return watchEngineRun(site, await startEngineRun(site, prompt), onUpdate)
}

/** Starts a run, which may continue another one. Resolves with its id. */
export async function startEngineRun(
  { admin }: Site,
  prompt: string,
  continues: string | null = null,
): Promise<string> {
  const { runId } = await startRun(admin, {
    configuration,
    prompt,
    continues,
    tools: ['read_page'],
    maxRounds: mostRounds,
    idempotencyKey: null,
  })
  return runId
}

/** Watches a run to its end. Resolves with its last answer. */
export async function watchEngineRun(
  { admin }: Site,
  runId: string,
  onUpdate: OnUpdate,
): Promise<string> {
  const { signal } = new AbortController()
  let answer = ''
  for await (const batch of watchRun(admin, runId, { after: { seq: 0 }, signal })) {
    for (const event of batch) {
      onUpdate(event)
      if (event.type === 'message') answer = event.data.text
    }
  }
  return answer
}
