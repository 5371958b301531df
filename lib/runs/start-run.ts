import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { visibleConfigurations } from '@/lib/domains/configurations/usable'
import { freezeSentence, readFreeze } from '@/lib/domains/settings/read-freeze'
import { readTaskForRun, type TaskForRun } from '@/lib/domains/tasks/runnable'
import { planOffer, runStart } from '@/lib/engines/runtime/deps'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import type { Ctx } from '@/lib/kernel/context'
import { isUniqueViolation, type Tx } from '@/lib/kernel/db'
import {
  ConflictError,
  ForbiddenError,
  RateLimitedError,
  UnavailableError,
  ValidationError,
} from '@/lib/kernel/errors'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import { lockPolicyShared } from '@/lib/kernel/policy-lock'
import { shutdownSignal } from '@/lib/kernel/shutdown'
import { changed, unchanged, verb } from '@/lib/kernel/verb'
import { isPriced } from '@/lib/protocol/cost'
import { noPriceWords } from '@/lib/protocol/model-families'
import { extraBodyFault } from '@/lib/protocol/own-body-fields'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'
import { renderTask } from '@/lib/protocol/task-values'
import { readRunFiles } from '@/lib/runs/files/read-run-files'
import { toolsByName } from '@/lib/toolset/installed-tools'
import { loadSubject } from '@/lib/toolset/load-subject'
import { withSchema, withTask } from '@/lib/toolset/with-task'
import { type Engine, runningEngine } from './engine/engine'
import { channels } from './journal/notifications'
import { inRunDatabase } from './require-run'
import { storedStart } from './run-record'
import { type CheckedRunInput, type RunRequest, StartRunInput } from './schemas'

const roundLimit = 50
/** Active runs that one person may have; more would be an accidental loop. */
const runsInFlight = { admin: 256, member: 32 }

/**
 * The run and its first event are stored in one transaction; the run continues whatever happens to the caller. The same
 * `idempotencyKey` with the same input returns the same run (`created` false), with another input it throws
 * ConflictError.
 */
export const startRun = verb({
  name: 'run.start',
  role: 'member',
  scope: 'runs:write',
  summary: 'Starts a run; with a known Idempotency-Key, returns the run that has it.',
  input: StartRunInput,
  output: z.object({ runId: z.string(), created: z.boolean() }),
  transaction: onceMoreIfTaken,
  run: async ({ tx, ctx }, asked) => {
    if (shutdownSignal.aborted)
      throw new UnavailableError('Toolgate is stopping. Try again in a moment.')
    const inputHash = hashOf(asked)
    const known = await findByKey(tx, ctx, asked.idempotencyKey, inputHash)
    if (known) return unchanged(known)
    const runId = newId()
    const after = await insertRun(tx, ctx, { runId, asked, inputHash })
    return changed({ runId, created: true }, { subject: runId, after })
  },
  committed: ({ runId, created }) => {
    const engine = runningEngine()
    if (created && engine) startOn(engine, runId)
  },
})

/**
 * Does the work, and again after a unique violation. Of two concurrent requests with one idempotency key, the second
 * try finds the run of the other one.
 */
function onceMoreIfTaken<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return inRunDatabase(work).catch((error) => {
    if (isUniqueViolation(error)) return inRunDatabase(work)
    throw error
  })
}

/** Starts the work on a run without waiting for it. The run is stored, and the engine starts overdue runs itself. */
function startOn(engine: Engine, runId: string): void {
  engine
    .start(runId)
    .catch((error) =>
      log.warn(
        { source: 'engine', runId, error: String(error) },
        'Could not begin a run; trying again',
      ),
    )
}

type NewRun = { runId: string; asked: CheckedRunInput; inputHash: string }

/** Returns what the audit keeps of the new run. */
async function insertRun(tx: Tx, ctx: Ctx, { runId, asked, inputHash }: NewRun) {
  const { userId } = ctx.actor
  const engine = runningEngine()
  // A freeze waits for this transaction, so no run starts after it. The configuration is read under the lock, too, so
  // that the snapshot has no skill that was revoked before.
  await lockPolicyShared(tx)
  const task = await readTask(tx, ctx, asked.task)
  const createdAt = new Date()
  const read = await readConfiguration(tx, ctx, configurationOf(asked, task), createdAt)
  refuseFaulty(read)
  const maxRounds = clampRounds(ctx, asked.maxRounds, read)
  const { prompt, variables } = promptOf(asked, task)
  const request: RunRequest = { kind: 'prompt', tools: asked.tools, maxRounds, variables }
  const capped = withRunCap(withTask(read, task), asked)
  const asRead = withSchema({ ...capped, maxRounds }, asked.outputSchema)
  const subject = await loadSubject(tx, { userId, snapshot: asRead, selected: request.tools })
  const snapshot = { ...asRead, grantedBySkills: grantedBy(subject) }
  if (subject.frozen) await refuseFrozen(tx)
  // The caller's role and memberships were read before the lock.
  if (subject.revoked.run !== null) throw new ForbiddenError(subject.revoked.run)
  await refuseRevokedKey(tx, ctx)
  await refuseTooMany(tx, ctx)
  const files = await readRunFiles(tx, ctx, asked.files, snapshot)
  const input = { prompt, files, actor: ctx.actor, snapshot }
  const first = runStart(input, planOffer(await toolsByName(), subject), newId)
  await tx.run.create({
    data: {
      id: runId,
      userId,
      configurationId: snapshot.configurationId,
      taskId: snapshot.task?.taskId ?? null,
      apiKeyId: ctx.apiKeyId ?? null,
      request,
      prompt: first.data.prompt,
      source: ctx.via,
      idempotencyKey: asked.idempotencyKey,
      idempotencyHash: inputHash,
      instanceId: engine?.instanceId ?? null,
      // The prices of the snapshot were read for this time.
      createdAt,
      lastSeq: 1,
      events: { create: { seq: 1, type: first.type, data: storedStart(first.data) } },
      files: { create: files.map(({ id }, position) => ({ fileId: id, position })) },
    },
  })
  if (!engine) await tx.$queryRaw`SELECT pg_notify(${channels.work}, ${runId}) IS NULL AS notified`
  return {
    configuration: snapshot.configurationIdentifier,
    ...(snapshot.task && { task: snapshot.task.identifier }),
    tools: request.tools,
    ...(files.length > 0 && { files: files.map(({ name, dataClass }) => ({ name, dataClass })) }),
    maxRounds,
    ...(asked.costCap && { costCap: asked.costCap }),
    ...(asked.outputSchema && { outputSchema: asked.outputSchema }),
  }
}

/** Throws ValidationError for extra body fields that Toolgate sets itself now: they would be left out silently. */
function refuseFaulty({ options, targets, configurationName }: RunSnapshot): void {
  const chain = targets.map(({ wire, modelId }) => ({ wire, modelName: modelId }))
  const fault = extraBodyFault(options?.extraBody, chain)
  if (fault === null) return
  throw new ValidationError({ configuration: `${configurationName} cannot run. ${fault}` })
}

async function readTask(tx: Tx, ctx: Ctx, task: string | null): Promise<TaskForRun | null> {
  return task === null ? null : readTaskForRun(tx, ctx, task, visibleConfigurations(ctx))
}

/** Returns the chosen configuration, else that of the task. Whether this person may use it is checked as usual. */
function configurationOf({ configuration }: CheckedRunInput, task: TaskForRun | null): string {
  const wanted = configuration || task?.configurationId
  if (wanted) return wanted
  throw new ValidationError({
    configuration: 'This task has no configuration of its own. Pick one.',
  })
}

type Prompt = Pick<RunRequest, 'variables'> & { prompt: string }

/** Throws ValidationError with a key `variables.name` for a missing or wrong value. */
function promptOf(asked: CheckedRunInput, task: TaskForRun | null): Prompt {
  if (!task) return { prompt: asked.prompt, variables: {} }
  const made = renderTask(task, asked.variables)
  if (made.type === 'rendered') {
    return { prompt: made.prompt, variables: Object.fromEntries(made.texts) }
  }
  const errors = [...made.errors].map(([name, sentence]) =>
    name === '' ? ['prompt', sentence] : [`variables.${name}`, sentence],
  )
  throw new ValidationError(Object.fromEntries(errors))
}

/** Returns the tools that the skills grant now; the run keeps them. */
function grantedBy({ configuration }: Subject): string[] | null {
  const granted = configuration?.grantedBySkills
  return granted ? [...granted].sort() : null
}

async function refuseFrozen(tx: Tx): Promise<void> {
  const freeze = await readFreeze(tx)
  if (!freeze) return
  throw new ForbiddenError(
    `${freezeSentence(freeze)} No run can start until an admin unfreezes it.`,
  )
}

/**
 * Throws ForbiddenError when the API key was revoked. Locks its row, so that a concurrent revocation finds this run.
 */
async function refuseRevokedKey(tx: Tx, { apiKeyId }: Ctx): Promise<void> {
  if (apiKeyId === undefined) return
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM api_keys WHERE id = ${apiKeyId}::uuid AND "revokedAt" IS NULL FOR SHARE`
  if (rows.length === 0) throw new ForbiddenError('This API key was revoked.')
}

async function refuseTooMany(tx: Tx, ctx: Ctx): Promise<void> {
  const { userId, role } = ctx.actor
  const going = await tx.run.count({ where: { userId, NOT: { status: 'ended' } } })
  if (going < runsInFlight[role]) return
  throw new RateLimitedError(
    `You have ${going} active runs, the maximum. Wait for one to end, or stop one.`,
    5,
  )
}

/** Limits rounds to 1..50, and for a member to the maximum of the configuration (SPEC R3). */
function clampRounds(ctx: Ctx, asked: number | null, snapshot: RunSnapshot): number {
  const limit = ctx.actor.role === 'admin' ? roundLimit : Math.min(roundLimit, snapshot.maxRounds)
  return Math.min(limit, Math.max(1, asked ?? snapshot.maxRounds))
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

/** Hashes the request. Without schema and files, the hash is the one from before runs could have them. */
function hashOf({ outputSchema, files, ...asked }: CheckedRunInput): string {
  const more = { ...(outputSchema && { outputSchema }), ...(files.length > 0 && { files }) }
  return createHash('sha256')
    .update(JSON.stringify({ ...asked, ...more }))
    .digest('hex')
}

/**
 * Returns the snapshot with the cost cap of this run beside those of its configuration and task: it can only narrow
 * (SPEC M4). Throws ConflictError when a cap is enforced and the model has no price, because the cost would be unknown.
 */
export function withRunCap(
  snapshot: RunSnapshot,
  { costCap }: Pick<CheckedRunInput, 'costCap'>,
): RunSnapshot {
  const costCaps = costCap
    ? [...snapshot.costCaps, { scope: 'run' as const, ...costCap }]
    : snapshot.costCaps
  const [target] = snapshot.targets
  const enforced = costCaps.some(({ mode }) => mode === 'enforce')
  if (enforced && target && !isPriced(target.prices)) {
    const { fault, cure } = noPriceWords(target)
    throw new ConflictError(
      `The cost cap would stop this run when reached, but ${target.modelId} ${fault}, so the cost cannot be checked. Either ${cure}, or set the cap to warn only.`,
    )
  }
  return { ...snapshot, costCaps }
}
