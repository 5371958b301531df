import 'server-only'
import { z } from 'zod'
import { requireCheck, toAssertions, visibleCheckRuns } from '@/lib/domains/checks/reads'
import { findUsableConfiguration } from '@/lib/domains/configurations/usable'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx, unaudited } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import { parseId } from '@/lib/kernel/parse-id'
import { cancelRuns } from '@/lib/runs/engine/cancel-runs'
import { runningEngine } from '@/lib/runs/engine/engine'
import { channels } from '@/lib/runs/journal/notifications'
import { inRunDatabase } from '@/lib/runs/require-run'
import { advanceCheckRun } from './advance-check-run'
import { RunCheck } from './schemas'

/**
 * Runs a check with the rights of the caller: as many ordinary runs as it has tries with each configuration, some at once. Their verdicts
 * come when they end. Throws NotFoundError for a check or a configuration that the caller may not see.
 */
export const runCheck = verb({
  name: 'check.run',
  role: 'member',
  scope: 'runs:write',
  moreScopes: ['checks:read'],
  summary: 'Runs a check: starts its tries, which are judged when they end.',
  input: RunCheck,
  output: z.object({ checkRunId: z.string() }),
  transaction: 'later',
  run: async ({ ctx, change }, { id: named, mode, configurations }) => {
    const check = await requireCheck(db(), ctx, named)
    const chosen = await configurationsOf(ctx, check, configurations)
    const checkRunId = newId()
    await change(async (tx) => {
      const data: Prisma.CheckRunUncheckedCreateInput = {
        id: checkRunId,
        name: check.name,
        userId: ctx.actor.userId,
        ...(await readAccess(tx, ctx)),
        apiKeyId: ctx.apiKeyId ?? null,
        mode,
        configurationIds: configurations ? chosen.map(({ id }) => id) : [],
      }
      await tx.checkRun.create({ data })
      await tx.checkResult.createMany({ data: triesOf(checkRunId, check, chosen) })
      const after = {
        run: checkRunId,
        mode,
        configurations: chosen.map(({ name }) => name),
        tries: check.tries,
      }
      return changed(undefined, { subject: check.id, before: null, after })
    })
    await beginTries(checkRunId)
    return { checkRunId }
  },
})

/** Returns the numbers under which its runs begin: a freeze, or an end of the person's access, ends the run of checks. */
async function readAccess(tx: Tx, { actor: { userId } }: Ctx) {
  const [row] = await tx.$queryRaw<{ accessEpoch: number; freezes: number }[]>`
    SELECT u."accessEpoch", p.freezes FROM users u, policy_version p WHERE u.id = ${userId}::uuid`
  if (!row) throw new NotFoundError('The account')
  return row
}

type Check = Awaited<ReturnType<typeof requireCheck>>
type Chosen = { id: string; name: string }

/** Returns the configurations to run a check with: those that are named, else its own. */
async function configurationsOf(
  ctx: Ctx,
  { configurationId, configuration, configurationName }: Check,
  named: readonly string[] | undefined,
): Promise<Chosen[]> {
  if (named) {
    const found: Chosen[] = []
    for (const each of named) found.push(await findUsableConfiguration(db(), ctx, each))
    return [...new Map(found.map((each) => [each.id, each])).values()]
  }
  if (configurationId !== null)
    return [{ id: configurationId, name: configuration?.name ?? configurationName }]
  throw new ConflictError(
    `The configuration ${configurationName} of this check was deleted. Name another one.`,
    'configurations',
  )
}

function triesOf(
  checkRunId: string,
  check: Check,
  chosen: readonly Chosen[],
): Prisma.CheckResultCreateManyInput[] {
  const assertions = JSON.stringify(toAssertions(check))
  return chosen.flatMap((configuration, index) =>
    Array.from({ length: check.tries }, (_, tried) => ({
      id: newId(),
      checkRunId,
      place: index * check.tries + tried,
      checkId: check.id,
      checkVersion: check.version,
      checkName: check.name,
      configurationId: configuration.id,
      configurationName: configuration.name,
      try: tried + 1,
      passes: check.passes,
      assertions,
    })),
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
    const row = await tx.checkRun.findFirst({ where, include: { results: true } })
    if (!row) throw new NotFoundError('The run of checks')
    const { count } = await unaudited(tx, 'this verb audits it').checkRun.updateMany({
      where: { id, endedAt: null, stoppedBy: null },
      data: { stoppedBy: actor.email },
    })
    if (count === 0) return unchanged({ stopped: false })
    const runIds = row.results.flatMap(({ runId }) => runId ?? [])
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
