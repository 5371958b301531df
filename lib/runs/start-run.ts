import 'server-only'
import { createHash } from 'node:crypto'
import { v7 as newId } from 'uuid'
import { recordAudit } from '@/lib/audit/record-audit'
import { readConfiguration } from '@/lib/configurations/read-configuration'
import type { Ctx } from '@/lib/context'
import { db, isUniqueViolation, type Tx, withTransaction } from '@/lib/db'
import { ConflictError, ForbiddenError, RateLimitedError, UnavailableError } from '@/lib/errors'
import { log } from '@/lib/log'
import { parseInput } from '@/lib/parse-input'
import { lockPolicyShared } from '@/lib/policy-lock'
import type { RunSnapshot } from '@/lib/protocol/run-event'
import { planOffer } from '@/lib/runtime/plan-offer'
import { runStart } from '@/lib/runtime/run-start'
import { freezeSentence, readFreeze } from '@/lib/settings/read-freeze'
import { shutdownSignal } from '@/lib/shutdown'
import { toolsByName } from '@/lib/toolset/installed-tools'
import { loadSubject } from '@/lib/toolset/load-subject'
import { runningEngine } from './running-engine'
import { type RunRequest, StartRunInput } from './schemas'
import { channels } from './wake'

const roundLimit = 50
/** Runs that one person may have going at once; more would be somebody's loop. */
const runsInFlight = { admin: 256, member: 32 }

/**
 * Writes a run with its first event in one transaction and sets the engine on it; returns at once. The run goes on
 * whatever becomes of the caller. The same `idempotencyKey` with the same input gives the same run (`created` false),
 * with another input ConflictError.
 */
export async function startRun(
  ctx: Ctx,
  input: StartRunInput,
): Promise<{ runId: string; created: boolean }> {
  const asked = parseInput(StartRunInput, input)
  if (shutdownSignal.aborted)
    throw new UnavailableError('Toolgate is stopping. Try again in a moment.')
  const inputHash = hashOf(asked)
  const known = await findByKey(ctx, asked.idempotencyKey, inputHash)
  if (known) return known

  const runId = newId()
  try {
    await withTransaction((tx) => insertRun(tx, ctx, { runId, asked, inputHash }))
  } catch (error) {
    // Two requests with one key at the same moment: the other one was first.
    const first =
      isUniqueViolation(error) && (await findByKey(ctx, asked.idempotencyKey, inputHash))
    if (first) return first
    throw error
  }
  setEngineOn(runId)
  return { runId, created: true }
}

/** Not awaited: the run exists, and the engine looks for runs that were not begun. */
function setEngineOn(runId: string): void {
  runningEngine()
    ?.start(runId)
    .catch((error) =>
      log.warn(
        { source: 'engine', runId, error: String(error) },
        'Could not begin a run; trying again',
      ),
    )
}

type NewRun = {
  runId: string
  asked: StartRunInput
  inputHash: string
}

async function insertRun(tx: Tx, ctx: Ctx, { runId, asked, inputHash }: NewRun): Promise<void> {
  const { userId } = ctx.actor
  // A freeze waits for runs that are just being written down, and none is after it. What a run keeps of its
  // configuration is read behind the lock too: a skill that was taken back before must not be in it.
  await lockPolicyShared(tx)
  const read = await readConfiguration(tx, ctx, asked.configuration)
  const maxRounds = clampRounds(ctx, asked.maxRounds, read)
  const request: RunRequest = { tools: asked.tools, maxRounds }
  const snapshot = { ...read, maxRounds }
  const subject = await loadSubject(tx, { userId, snapshot, selected: request.tools })
  if (subject.frozen) await refuseFrozen(tx)
  await refuseTooMany(tx, ctx)
  const engine = runningEngine()
  const input = { prompt: asked.prompt, actor: ctx.actor, snapshot }
  const first = runStart(input, planOffer(await toolsByName(), subject), newId)
  await tx.run.create({
    data: {
      id: runId,
      userId,
      configurationId: snapshot.configurationId,
      request,
      prompt: first.data.prompt,
      source: ctx.via,
      idempotencyKey: asked.idempotencyKey,
      idempotencyHash: inputHash,
      instanceId: engine?.instanceId ?? null,
      lastSeq: 1,
      events: { create: { seq: 1, type: first.type, data: first.data } },
    },
  })
  await recordAudit(tx, ctx, {
    action: 'run.start',
    objectType: 'run',
    objectId: runId,
    after: { configuration: snapshot.configurationIdentifier, ...request },
  })
  if (!engine) await tx.$queryRaw`SELECT pg_notify(${channels.work}, ${runId}) IS NULL AS notified`
}

async function refuseFrozen(tx: Tx): Promise<void> {
  const freeze = await readFreeze(tx)
  if (!freeze) return
  throw new ForbiddenError(`${freezeSentence(freeze)} No run starts until an admin unfreezes it.`)
}

async function refuseTooMany(tx: Tx, ctx: Ctx): Promise<void> {
  const { userId, role } = ctx.actor
  const going = await tx.run.count({ where: { userId, NOT: { status: 'ended' } } })
  if (going < runsInFlight[role]) return
  throw new RateLimitedError(`You have ${going} runs going. Wait for one to end, or stop one.`, 5)
}

/** SPEC R3: 1..50, and for a member no more than the configuration says. */
function clampRounds(ctx: Ctx, asked: number | null, snapshot: RunSnapshot): number {
  const limit = ctx.actor.role === 'admin' ? roundLimit : Math.min(roundLimit, snapshot.maxRounds)
  return Math.min(limit, Math.max(1, asked ?? snapshot.maxRounds))
}

async function findByKey(ctx: Ctx, idempotencyKey: string | null, inputHash: string) {
  if (idempotencyKey === null) return null
  const run = await db().run.findUnique({
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

function hashOf(asked: StartRunInput): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex')
}
