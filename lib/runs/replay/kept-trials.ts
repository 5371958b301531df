import 'server-only'
import { z } from 'zod'
import type { Prisma } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { visibleRuns } from '@/lib/runs/require-run'
import { firstWords } from '@/lib/words/clean-text'
import { changeWords } from './change-words'
import { ChangedRun, PolicyTrial } from './trial-shape'
import type { TrialInput } from './try-policy'

const keptMs = 24 * 3_600_000
/** The most results that are kept, and listed. */
const mostKept = 100

const newestFirst = [
  { createdAt: 'desc' },
  { id: 'desc' },
] satisfies Prisma.KeptTrialOrderByWithRelationInput[]

/** A result as it is stored: prompts stay with their runs. */
const StoredTrial = PolicyTrial.extend({ runs: z.array(ChangedRun.omit({ prompt: true })) })

/**
 * A kept result in the list. `configuration` and `group`: names of those to which the runs were narrowed; null = not narrowed.
 * `lost`: number of sentences about calls that nobody could approve. `createdAt` is ISO text in UTC.
 */
type KeptTrial = {
  id: string
  change: string
  days: number
  configuration: string | null
  group: string | null
  lost: number
  by: string
  createdAt: string
  changed: number
  replayed: number
}

/** Keeps the result of a trial for a day, for all admins. Rejects with the reason of `signal` when that has aborted. */
export async function keepTrial(
  { actor: { userId } }: Ctx,
  { input, signal }: { input: z.output<typeof TrialInput>; signal: AbortSignal },
  trial: PolicyTrial,
): Promise<void> {
  const { draft, days } = input
  const { replayed, changed, waysOut } = trial
  const data = {
    userId,
    change: await changeWords(db(), draft),
    days,
    ...(await namesOf(input)),
    replayed,
    changed,
    lost: waysOut.length,
    result: StoredTrial.parse(trial),
  }
  signal.throwIfAborted()
  await db().keptTrial.create({ data })
  const older = await db().keptTrial.findMany({
    orderBy: newestFirst,
    skip: mostKept,
    select: { id: true },
  })
  await db().keptTrial.deleteMany({ where: { id: { in: older.map(({ id }) => id) } } })
}

async function namesOf({
  configuration,
  group,
}: Pick<z.output<typeof TrialInput>, 'configuration' | 'group'>) {
  const named = (id: string) => ({ where: { id }, select: { name: true } })
  const ofRuns = configuration && (await db().configuration.findUnique(named(configuration)))
  const ofPeople = group && (await db().group.findUnique(named(group)))
  return {
    configuration: ofRuns ? ofRuns.name : null,
    group: ofPeople ? ofPeople.name : null,
  }
}

/** Returns the trials of the last 24 hours, the newest first. Admins only. */
export async function listTrials(ctx: Ctx): Promise<KeptTrial[]> {
  requireRole(ctx, 'admin')
  const rows = await db().keptTrial.findMany({
    where: stillKept(),
    orderBy: newestFirst,
    omit: { result: true },
    include: withAuthor,
  })
  return rows.map(toKept)
}

/**
 * Returns the result of a trial of the last 24 hours, without the runs that the caller may not see. Admins only. Throws
 * NotFoundError.
 */
export async function readTrial(
  ctx: Ctx,
  id: string,
): Promise<{ kept: KeptTrial; trial: PolicyTrial }> {
  requireRole(ctx, 'admin')
  const row = z.uuid().safeParse(id).success
    ? await db().keptTrial.findFirst({ where: { ...stillKept(), id }, include: withAuthor })
    : null
  if (!row) throw new NotFoundError('This trial')
  const stored = StoredTrial.parse(row.result)
  const ids = stored.runs.map(({ runId }) => runId)
  const visible = await db().run.findMany({
    where: { AND: [{ id: { in: ids } }, visibleRuns(ctx)] },
    select: { id: true, prompt: true },
  })
  const prompts = new Map(visible.map((run) => [run.id, firstWords(run.prompt)]))
  const runs = stored.runs.flatMap((run) => {
    const prompt = prompts.get(run.runId)
    return prompt === undefined ? [] : [{ ...run, prompt }]
  })
  return { kept: toKept(row), trial: { ...stored, runs } }
}

/** Deletes the results that have been kept for a day. */
export async function pruneTrials(client: Tx): Promise<void> {
  await client.keptTrial.deleteMany({ where: { NOT: stillKept() } })
}

const withAuthor = { user: { select: { name: true } } } as const

const stillKept = () => ({ createdAt: { gte: new Date(Date.now() - keptMs) } })

type Row = Omit<KeptTrial, 'by' | 'createdAt'> & { createdAt: Date; user: { name: string } }

function toKept({ user, createdAt, ...row }: Row): KeptTrial {
  const { id, change, days, configuration, group, replayed, changed, lost } = row
  const by = user.name
  const at = createdAt.toISOString()
  return { id, change, days, configuration, group, replayed, changed, lost, by, createdAt: at }
}
