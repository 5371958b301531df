import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  type ListedRow,
  requireCheck,
  requireSuite,
  toAssertions,
  visibleCheckRuns,
} from '@/lib/domains/checks/reads'
import { refuseSameModel } from '@/lib/domains/configurations/judge-models'
import { findUsableConfiguration } from '@/lib/domains/configurations/usable'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { type ChangeTx, db, type Tx, unaudited } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import { parseId } from '@/lib/kernel/parse-id'
import type { CheckMode } from '@/lib/protocol/check/check'
import { RunOverrides } from '@/lib/protocol/run/run-overrides'
import { cancelRuns } from '@/lib/runs/engine/cancel-runs'
import { runningEngine } from '@/lib/runs/engine/engine'
import { channels } from '@/lib/runs/journal/notifications'
import { inRunDatabase } from '@/lib/runs/require-run'
import { advanceCheckRun } from './advance-check-run'
import { RunCheck, RunSuite } from './schemas'
import { requireRoom } from './suite-budget'

/** `created` false = it began before, with the same idempotency key. */
const Begun = z.object({ checkRunId: z.string(), created: z.boolean() })

/**
 * Runs a check with the rights of the caller: as many ordinary runs as it has tries with each configuration, some at once. Their verdicts
 * come when they end. The same `idempotencyKey` with the same input returns the same run of checks (`created` false). Throws NotFoundError for a check or a configuration that the caller may not see.
 */
export const runCheck = verb({
  name: 'check.run',
  role: 'member',
  scope: 'runs:write',
  moreScopes: ['checks:read'],
  summary:
    'Runs a check: starts its tries, which are judged when they end; with a known Idempotency-Key, returns what it started.',
  input: RunCheck,
  output: Begun,
  transaction: 'later',
  run: async ({ ctx, change }, input) => {
    const { id: named, mode, configurations } = input
    const repeat = repeatOf(input)
    const known = await findByKey(db(), ctx, repeat)
    if (known) return known
    const check = await requireCheck(db(), ctx, named)
    const tries = await triesOf(ctx, [check], configurations)
    const isNamed = configurations !== undefined
    const run = { name: check.name, isSuite: false, mode, tries, isNamed, repeat }
    const begun = await change((tx) => storeCheckRun(tx, ctx, run, check.id))
    if (begun.created) await beginTries(begun.checkRunId)
    return begun
  },
})

/**
 * Runs the checks of a suite that the caller may see as one run of checks. Throws NotFoundError for a suite without any, and ConflictError,
 * with the sum, when the budgets have no room for the first requests of all of its tries together: nothing starts then.
 */
export const runSuite = verb({
  name: 'check.run-suite',
  role: 'member',
  scope: 'runs:write',
  moreScopes: ['checks:read'],
  summary:
    'Runs the checks of a suite: starts their tries, which are judged when they end; with a known Idempotency-Key, returns what it started.',
  input: RunSuite,
  output: Begun,
  transaction: 'later',
  run: async ({ ctx, change }, input) => {
    const { suite, mode, configurations } = input
    const repeat = repeatOf(input)
    const known = await findByKey(db(), ctx, repeat)
    if (known) return known
    const checks = await requireSuite(db(), ctx, suite)
    const tries = await triesOf(ctx, checks, configurations)
    await requireRoom(ctx, tries, mode)
    const isNamed = configurations !== undefined
    const run = { name: suite, isSuite: true, mode, tries, isNamed, repeat }
    const begun = await change((tx) => storeCheckRun(tx, ctx, run, null))
    if (begun.created) await beginTries(begun.checkRunId)
    return begun
  },
})

type Tries = readonly TryOf[]
type NewCheckRun = {
  name: string
  isSuite: boolean
  mode: CheckMode
  tries: Tries
  /** Its configurations stand in place of those of the checks. */
  isNamed: boolean
  repeat: Repeat
}
type Repeat = { idempotencyKey: string | null; idempotencyHash: string }

/** Stores a run of checks with its tries, which nothing has begun. `checkId` null = of a suite. */
async function storeCheckRun(
  tx: ChangeTx,
  ctx: Ctx,
  { name, isSuite, mode, tries, isNamed, repeat }: NewCheckRun,
  checkId: string | null,
) {
  const checkRunId = newId()
  const configurations = new Map(
    tries.map((each) => [each.configurationId, each.configurationName]),
  )
  const data: Prisma.CheckRunCreateManyInput = {
    id: checkRunId,
    name,
    isSuite,
    userId: ctx.actor.userId,
    ...(await readAccess(tx, ctx)),
    apiKeyId: ctx.apiKeyId ?? null,
    mode,
    configurationIds: isNamed ? [...configurations.keys()] : [],
    ...repeat,
  }
  const { count } = await tx.checkRun.createMany({ data, skipDuplicates: true })
  // Another request with the same key was faster.
  const known = count === 0 ? await findByKey(tx, ctx, repeat) : null
  if (known) return unchanged(known)
  await tx.checkResult.createMany({
    data: tries.map((each) => ({ id: newId(), checkRunId, ...each })),
  })
  const after = {
    run: checkRunId,
    ...(isSuite && { suite: name }),
    mode,
    configurations: [...configurations.values()],
    tries: tries.length,
  }
  const subject = isSuite ? { subject: checkRunId, type: 'check-run' } : { subject: checkId }
  return changed({ checkRunId, created: true }, { ...subject, before: null, after })
}

/** Returns what tells a repeated request: its key, and a hash of everything else. */
function repeatOf({
  idempotencyKey,
  ...input
}: z.output<typeof RunCheck> | z.output<typeof RunSuite>): Repeat {
  const idempotencyHash = createHash('sha256').update(JSON.stringify(input)).digest('hex')
  return { idempotencyKey, idempotencyHash }
}

/** Returns what an earlier request with this key began; null = there was none. Throws ConflictError when it said something else. */
async function findByKey(tx: Tx, ctx: Ctx, { idempotencyKey, idempotencyHash }: Repeat) {
  if (idempotencyKey === null) return null
  const known = await tx.checkRun.findUnique({
    where: { userId_idempotencyKey: { userId: ctx.actor.userId, idempotencyKey } },
    select: { id: true, idempotencyHash: true },
  })
  if (!known) return null
  if (known.idempotencyHash !== idempotencyHash)
    throw new ConflictError(
      'This idempotency key was used for another run of checks. Use a new key for a new one.',
    )
  return { checkRunId: known.id, created: false }
}

/** Returns the numbers under which its runs begin: a freeze, or an end of the person's access, ends the run of checks. */
async function readAccess(tx: Tx, { actor: { userId } }: Ctx) {
  const [row] = await tx.$queryRaw<{ accessEpoch: number; freezes: number }[]>`
    SELECT u."accessEpoch", p.freezes FROM users u, policy_version p WHERE u.id = ${userId}::uuid`
  if (!row) throw new NotFoundError('The account')
  return row
}

type Chosen = { id: string; name: string }

/** A try of a check with a configuration, as it is stored. */
type TryOf = Omit<Prisma.CheckResultCreateManyInput, 'id' | 'checkRunId'>

/** Maximum tries of one run of checks. */
const mostTries = 2_000

/** Returns the tries of these checks with the configurations that are named, else with that of each. Throws ValidationError for too many. */
async function triesOf(
  ctx: Ctx,
  checks: readonly ListedRow[],
  named: readonly string[] | undefined,
): Promise<TryOf[]> {
  const chosen = named && (await findConfigurations(ctx, named))
  await refuseSameModels(ctx, checks, chosen)
  const tries = checks.flatMap((check) =>
    (chosen ?? [ownConfiguration(check)]).flatMap((configuration) =>
      Array.from({ length: check.tries }, (_, tried) => ({
        checkId: check.id,
        checkVersion: check.version,
        checkName: check.name,
        configurationId: configuration.id,
        configurationName: configuration.name,
        try: tried + 1,
        passes: check.passes,
        assertions: JSON.stringify(toAssertions(check)),
      })),
    ),
  )
  if (tries.length > mostTries)
    throw new ValidationError({
      configurations: `These are ${tries.length} tries. At most ${mostTries} run together.`,
    })
  return tries.map((each, place) => ({ place, ...each }))
}

/** Throws ConflictError when a judge of a check has a model of a configuration that the check runs with. */
async function refuseSameModels(
  ctx: Ctx,
  checks: readonly ListedRow[],
  chosen: readonly Chosen[] | undefined,
): Promise<void> {
  for (const check of checks) {
    const { name } = check
    const assertions = toAssertions(check)
    const overrides = RunOverrides.nullable().parse(check.overrides)
    for (const { id: configurationId } of chosen ?? [ownConfiguration(check)])
      await refuseSameModel(db(), ctx, { name, assertions, configurationId, overrides })
  }
}

async function findConfigurations(ctx: Ctx, named: readonly string[]): Promise<Chosen[]> {
  const found: Chosen[] = []
  for (const each of named) found.push(await findUsableConfiguration(db(), ctx, each))
  return [...new Map(found.map((each) => [each.id, each])).values()]
}

function ownConfiguration({
  name,
  configurationId,
  configuration,
  configurationName,
}: ListedRow): Chosen {
  if (configurationId !== null)
    return { id: configurationId, name: configuration?.name ?? configurationName }
  throw new ConflictError(
    `The configuration ${configurationName} of the check ${name} was deleted. Name another one.`,
    'configurations',
  )
}

/** Begins the first tries. What fails is tried again with the upkeep of servers. */
async function beginTries(checkRunId: string): Promise<void> {
  const engine = runningEngine()
  if (!engine) return
  try {
    await advanceCheckRun(engine, checkRunId)
  } catch (error) {
    log.warn({ source: 'checks', checkRunId, error: String(error) }, 'Cannot begin a check yet')
  }
}

/** Stops a run of checks: its runs are cancelled, and no further one begins. Throws NotFoundError for one of somebody else. */
export const stopCheckRun = verb({
  name: 'check-run.stop',
  role: 'member',
  scope: 'runs:write',
  moreScopes: ['checks:read'],
  summary: 'Stops a run of checks, whose further tries do not begin.',
  input: z.object({ id: z.string().max(100) }),
  output: z.object({ stopped: z.boolean() }),
  transaction: inRunDatabase,
  run: async ({ tx, ctx, actor }, { id: named }) => {
    const id = parseId(named, 'The run of checks')
    const where = { AND: [{ id }, visibleCheckRuns(ctx)] }
    if (!(await tx.checkRun.findFirst({ where, select: { id: true } })))
      throw new NotFoundError('The run of checks')
    const { count } = await unaudited(tx, 'this verb audits it').checkRun.updateMany({
      where: { id, endedAt: null, stoppedBy: null },
      data: { stoppedBy: actor.email },
    })
    if (count === 0) return unchanged({ stopped: false })
    // Read behind the change above, which waits for a try that begins.
    const results = await tx.checkResult.findMany({
      where: { checkRunId: id, verdict: null },
      select: { runId: true },
    })
    const judges = await tx.checkJudge.findMany({
      where: { result: { checkRunId: id, verdict: null } },
      select: { runId: true },
    })
    const runIds = [...results, ...judges].flatMap(({ runId }) => runId ?? [])
    const which = Prisma.sql`id = ANY (${runIds}::uuid[])`
    const stopped = await cancelRuns(tx, which, {
      by: actor.email,
      reason: 'The check was stopped.',
    })
    for (const each of stopped)
      await tx.$queryRaw`SELECT pg_notify(${channels.control}, ${each}) IS NULL AS notified`
    const after = { stoppedRuns: stopped.length }
    return changed({ stopped: true }, { subject: id, before: null, after })
  },
  afterCommit: (_output, { id }) => {
    const engine = runningEngine()
    if (engine) void beginTries(id)
  },
})
