import { mostRounds } from '@/lib/protocol/configuration-form'
import type { RunUpdate } from '@/lib/protocol/run-delta'
import { watchRun } from '@/lib/runs/journal/watch-run'
import { startRun } from '@/lib/runs/start-run'
import { configuration, type ScratchSite } from './scratch-site'

/**
 * Makes one run through the durable engine of this process, and watches it there. Resolves with its last answer.
 */
export async function engineRun(
  { admin }: Pick<ScratchSite, 'admin'>,
  prompt: string,
  onUpdate: (update: RunUpdate) => void = () => undefined,
): Promise<string> {
  const { runId } = await startRun(admin, {
    configuration,
    prompt,
    tools: ['read_page'],
    maxRounds: mostRounds,
    idempotencyKey: null,
  })
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
