import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import { type Database, database, type Tx } from '@/lib/kernel/db'
import { ConflictError, UnavailableError } from '@/lib/kernel/errors'
import { shutdownSignal } from '@/lib/kernel/shutdown'
import { openTurnMemory } from '@/lib/runs/conversations/earlier-turns'
import { type Engine, runningEngine } from '@/lib/runs/engine/engine'
import type { NewRun } from '@/lib/runs/engine/live-runs'
import { StartRunInput } from '@/lib/runs/schemas'
import { insertRun } from './insert-run'
import { planRun } from './plan-run'
import { openPolicyCache, storeUnderPolicy } from './policy-cache'
import type { PlanInput, StartContext } from './run-draft'
import { openVersioned } from './versioned'

/**
 * The run, its first event and its audit row are stored in one statement; the run continues whatever happens to the
 * caller. The same `idempotencyKey` with the same input returns the same run (`created` false), with another input it
 * throws ConflictError.
 */
export const startRun = verb({
  name: 'run.start',
  role: 'member',
  scope: 'runs:write',
  summary: 'Starts a run; with a known Idempotency-Key, returns the run that has it.',
  input: StartRunInput,
  output: z.object({ runId: z.string(), created: z.boolean() }),
  transaction: false,
  audits: ['run.start'],
  run: ({ ctx }, input) => beginRun(ctx, input, runningEngine()),
})

/** Stores a run and begins the work on it. One with a `parent` is refused when it would have to wait for a place. */
export async function beginRun(
  ctx: Ctx,
  input: PlanInput,
  engine: Engine | undefined,
): Promise<{ runId: string; created: boolean }> {
  if (shutdownSignal.aborted)
    throw new UnavailableError('Toolgate is stopping. Try again in a moment.')
  const context = engine ?? withoutMemory(database())
  const inputHash = hashOf(input)
  const { client } = context.database
  const findKnown = () => findByKey(client, ctx, input.idempotencyKey, inputHash)
  const known = await findKnown()
  if (known) return known
  const hasRoom = engine === undefined || engine.places.room() > 0
  const release = engine?.places.hold(1)
  const store = async (tries: number, tx?: Tx): Promise<RunOf | null> => {
    const plan = (from?: Tx) => planRun(context, ctx, input, from)
    // Re-read from the database before refusing: the cache may be stale.
    const planned = await (tries > 1 ? plan(tx ?? client) : plan().catch(() => plan(client)))
    const { instanceId = null, places } = engine ?? {}
    const by = {
      input,
      inputHash,
      instanceId,
      hasRoom,
      queued: !input.parent && (places?.queued ?? false),
    }
    const inserted = await insertRun(tx ?? context.database.pool, ctx, { ...planned, ...by })
    if (inserted === 'known') return findKnown()
    return inserted === 'policy-changed' ? null : { run: planned.run, waits: inserted === 'waits' }
  }
  try {
    const stored = await storeUnderPolicy(context.database, store)
    if (!stored)
      throw new UnavailableError('The configuration is being changed. Try again in a moment.')
    if ('created' in stored) return stored
    if (!stored.waits) engine?.work.start(stored.run)
    return { runId: stored.run.runId, created: true }
  } finally {
    release?.()
  }
}

/** A run that was stored, or the one that has its idempotency key. */
type RunOf = { run: NewRun; waits: boolean } | { runId: string; created: boolean }

/** Returns what a start reads with in a process without an engine. */
export function withoutMemory(database: Database): StartContext {
  const policy = openPolicyCache(database, null)
  const turns = openTurnMemory()
  return {
    database,
    now: Date.now,
    policy,
    snapshots: openVersioned(),
    tools: openVersioned(),
    turns,
  }
}

async function findByKey(tx: Tx, ctx: Ctx, idempotencyKey: string | null, inputHash: string) {
  if (idempotencyKey === null) return null
  const run = await tx.run.findUnique({
    where: { userId_idempotencyKey: { userId: ctx.actor.userId, idempotencyKey } },
    select: { id: true, idempotencyHash: true },
  })
  if (!run) return null
  if (run.idempotencyHash !== inputHash) {
    throw new ConflictError(
      'This idempotency key was used for another run. Use a new key for a new run.',
    )
  }
  return { runId: run.id, created: false }
}

/** Hashes the request. Without schema, files, turns before and changes, the hash is the one from before runs could have them. */
function hashOf({
  outputSchema,
  files,
  continues,
  overrides,
  changedFrom,
  parent: _parent,
  panel: _panel,
  check: _check,
  fork,
  ...rest
}: PlanInput): string {
  const more = {
    ...(outputSchema && { outputSchema }),
    ...(files.length > 0 && { files }),
    ...(continues && { continues }),
    ...(overrides && { overrides }),
    ...(changedFrom && { changedFrom }),
    ...(fork && { fork: fork.facts, edit: fork.edit }),
  }
  return createHash('sha256')
    .update(JSON.stringify({ ...rest, ...more }))
    .digest('hex')
}
