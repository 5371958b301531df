import type { APIRequestContext } from '@playwright/test'
import type { RunEvent } from '@/lib/protocol/run-event'

/** Returns all events of a run, as its reader can export them. */
export async function readJournal(request: APIRequestContext, runId: string): Promise<RunEvent[]> {
  const response = await request.get(`/api/runs/${runId}/export`)
  if (!response.ok()) throw new Error(`The journal was refused: ${response.status()}.`)
  const lines = (await response.text()).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}
