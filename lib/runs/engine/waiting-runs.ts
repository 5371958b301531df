import 'server-only'
import { freezeKey } from '@/lib/domains/settings/read-freeze'
import { db } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { isUndecided, type RunState } from '@/lib/protocol/fold-run'
import { findRevoked, type RightsQuestion } from '@/lib/toolset/load-subject'
import { coalesced } from './coalesced'

/** A run of this process that waits for approval. The journal has everything else of it. */
type WaitingRun = {
  approvalIds: string[]
  instanceId: string
  rights: RightsQuestion
  wake: () => void
}

const waiting = new Map<string, WaitingRun>()

/**
 * Resolves when a waiting run can continue: after a decision, an expiry, a cancellation, a freeze, a revoked right, or
 * when another process claimed it.
 */
export async function waitUntilWoken(runId: string, run: Omit<WaitingRun, 'wake'>): Promise<void> {
  const woken = new Promise<void>((wake) => waiting.set(runId, { ...run, wake }))
  // Checks for changes from before the run was in the map.
  void wakeWaitingRuns(runId)
  await woken
}

export function approvalIdsOf(state: RunState): string[] {
  const calls = state.rounds.at(-1)?.calls ?? []
  return calls
    .filter(isUndecided)
    .flatMap(({ approval }) => (approval ? [approval.approvalId] : []))
}

/**
 * Wakes the waiting runs that can continue; `runId` empty = checks all of them. Called at each notification and each
 * heartbeat, so that a lost notification only delays it.
 */
export function wakeWaitingRuns(runId: string): Promise<void> {
  return runId === '' ? wakeAll() : wakeThose([runId].filter((id) => waiting.has(id)))
}

/** Policy changes come in bursts, and each one checks all runs. */
const wakeAll = coalesced(() => wakeThose([...waiting.keys()]))

async function wakeThose(asked: string[]): Promise<void> {
  if (asked.length === 0) return
  try {
    for (const id of await findRunsWithNews(asked)) wake(id)
    for (const id of await findRunsWithoutRights(asked)) wake(id)
  } catch (error) {
    log.warn({ source: 'engine', error: String(error) }, 'Cannot read approvals; trying again')
  }
}

function wake(runId: string): void {
  waiting.get(runId)?.wake()
  waiting.delete(runId)
}

async function findRunsWithoutRights(runIds: string[]): Promise<string[]> {
  const asked = runIds.flatMap((runId) => {
    const run = waiting.get(runId)
    return run ? [{ runId, ...run.rights }] : []
  })
  if (asked.length === 0) return []
  return (await findRevoked(db(), asked)).map(({ runId }) => runId)
}

async function findRunsWithNews(runIds: string[]): Promise<string[]> {
  const owners = runIds.map((id) => waiting.get(id)?.instanceId ?? null)
  const open = runIds.flatMap((runId) =>
    (waiting.get(runId)?.approvalIds ?? []).map((approvalId) => ({ runId, approvalId })),
  )
  const rows = await db().$queryRaw<{ id: string }[]>`
    SELECT asked.id
    FROM unnest(${runIds}::uuid[], ${owners}::uuid[]) AS asked(id, owner)
    LEFT JOIN runs r ON r.id = asked.id
    WHERE r.id IS NULL OR r.status = 'ended' OR r."cancelledBy" IS NOT NULL
      OR r."instanceId" IS DISTINCT FROM asked.owner
      OR EXISTS (SELECT 1 FROM settings WHERE key = ${freezeKey})
      OR asked.id IN (
        SELECT (open->>'runId')::uuid FROM jsonb_array_elements(${JSON.stringify(open)}::jsonb) AS open
        LEFT JOIN approvals a ON a.id = (open->>'approvalId')::uuid
        WHERE a.status IS DISTINCT FROM 'pending' OR a."expiresAt" <= now() AT TIME ZONE 'UTC')`
  return rows.map((row) => row.id)
}
