import 'server-only'
import { freezeKey } from '@/lib/domains/settings/read-freeze'
import type { Database } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { isUndecided } from '@/lib/protocol/run/round-view'
import { findRevoked, type RightsQuestion } from '@/lib/toolset/policy/load-subject'
import { coalesced } from './coalesced'

/** Facts that can end a run's wait for approval. Everything else is in the journal. */
type WaitingRun = { approvalIds: string[]; rights: RightsQuestion }

/** The runs of one engine that wait for approval. */
export type WaitingRuns = {
  /**
   * Resolves when a run can continue: after a decision, an expiry, a cancellation, a freeze, a revoked right, when
   * another engine claimed it, or when this one closes.
   */
  wait: (runId: string, run: WaitingRun) => Promise<void>
  /**
   * Continues the runs that can; `runId` empty = checks all of them. Called at each notification and at each repeat, so
   * that a lost notification only delays it.
   */
  check: (runId: string) => Promise<void>
  /** Returns the number of waiting runs. */
  count: () => number
  /** Continues all of them, because the engine closes. */
  release: () => void
}

export function approvalIdsOf(state: RunState): string[] {
  const calls = state.rounds.at(-1)?.calls ?? []
  return calls
    .filter(isUndecided)
    .flatMap(({ approval }) => (approval ? [approval.approvalId] : []))
}

export function openWaitingRuns(database: Database, instanceId: string): WaitingRuns {
  const waiting = new Map<string, WaitingRun & { go: () => void }>()

  const go = (runId: string): void => {
    waiting.get(runId)?.go()
    waiting.delete(runId)
  }

  const checkThose = async (runIds: string[]): Promise<void> => {
    const runs = runIds.flatMap((runId) => {
      const run = waiting.get(runId)
      return run ? [{ runId, ...run }] : []
    })
    if (runs.length === 0) return
    try {
      for (const id of await findRunsWithNews(database, instanceId, runs)) go(id)
      const left = runs.filter(({ runId }) => waiting.has(runId))
      for (const id of await findRunsWithoutRights(database, left)) go(id)
    } catch (error) {
      log.warn({ source: 'engine', error: String(error) }, 'Cannot read approvals; trying again')
    }
  }

  /** Policy changes come in bursts, and each one checks all runs. */
  const checkAll = coalesced(() => checkThose([...waiting.keys()]))

  return {
    wait: async (runId, run) => {
      const continued = new Promise<void>((resolve) => waiting.set(runId, { ...run, go: resolve }))
      // Checks for changes from before the run was in the map.
      void checkThose([runId])
      await continued
    },
    check: (runId) => (runId === '' ? checkAll() : checkThose([runId])),
    count: () => waiting.size,
    release: () => {
      for (const runId of waiting.keys()) go(runId)
    },
  }
}

type AskedRun = WaitingRun & { runId: string }

async function findRunsWithoutRights(
  { client }: Database,
  input: readonly AskedRun[],
): Promise<string[]> {
  if (input.length === 0) return []
  const questions = input.map(({ runId, rights }) => ({ runId, ...rights }))
  return (await findRevoked(client, questions)).map(({ runId }) => runId)
}

/**
 * Returns the waiting runs whose wait can end. One statement looks for everything that ends a wait, except a revoked
 * right.
 */
async function findRunsWithNews(
  { client }: Database,
  instanceId: string,
  input: readonly AskedRun[],
): Promise<string[]> {
  const runIds = input.map(({ runId }) => runId)
  const open = input.flatMap(({ runId, approvalIds }) =>
    approvalIds.map((approvalId) => ({ runId, approvalId })),
  )
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT wanted.id
    FROM unnest(${runIds}::uuid[]) AS wanted(id)
    LEFT JOIN runs r ON r.id = wanted.id
    WHERE r.id IS NULL OR r.status = 'ended' OR r."cancelledBy" IS NOT NULL
      OR r."instanceId" IS DISTINCT FROM ${instanceId}::uuid
      OR EXISTS (SELECT 1 FROM settings WHERE key = ${freezeKey})
      OR r.freezes <> (SELECT freezes FROM policy_version)
      OR wanted.id IN (
        SELECT (open->>'runId')::uuid FROM jsonb_array_elements(${JSON.stringify(open)}::jsonb) AS open
        LEFT JOIN approvals a ON a.id = (open->>'approvalId')::uuid
        WHERE a.status IS DISTINCT FROM 'pending' OR a."expiresAt" <= now() AT TIME ZONE 'UTC')`
  return rows.map((row) => row.id)
}
