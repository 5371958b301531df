import type { APIRequestContext } from '@playwright/test'
import type { RunEvent } from '@/lib/protocol/run-event'

/** All events of a run, as its reader may export them. */
export async function readJournal(request: APIRequestContext, runId: string): Promise<RunEvent[]> {
  const response = await request.get(`/api/runs/${runId}/export`)
  if (!response.ok()) throw new Error(`The journal was refused: ${response.status()}.`)
  const lines = (await response.text()).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}
