import 'server-only'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type CheckRow, requireCheck, requireSuite } from '@/lib/domains/checks/reads'
import { checkLimits } from '@/lib/domains/checks/schemas'
import { factsOf, requirePossible, unlessTaken } from '@/lib/domains/checks/verbs'
import { requireJudges } from '@/lib/domains/configurations/judge-models'
import { findUsableConfiguration } from '@/lib/domains/configurations/usable'
import { type AuditedChange, changed, verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import { authorId, type Ctx } from '@/lib/kernel/context'
import { type ChangeTx, db, type Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import { checkFileText, mostFileBytes } from '@/lib/protocol/check/file-text'
import { countOf } from '@/lib/words/format'
import { CheckFile, type CheckInFile, toCheckInFile, whyNotInFile } from './check-file'

const Exported = z.object({
  file: CheckFile,
  /** Sentences about checks of the suite that the file does not have. */
  leftOut: z.array(z.string()),
})

/** Returns one check, or the checks of a suite, as a file (SPEC C3). */
export const exportChecks = verb({
  name: 'check.export',
  role: 'member',
  scope: 'checks:read',
  // The file has results of runs, which a check by itself does not show.
  moreScopes: ['runs:read'],
  summary: 'Returns a check, or the checks of a suite, with their recorded results as a file.',
  input: z.object({
    check: z.string().trim().min(1).max(100).optional().meta({ description: 'Id or name.' }),
    suite: z.string().trim().min(1).max(100).optional(),
  }),
  output: Exported,
  transaction: false,
  run: async ({ ctx }, { check, suite }) => {
    if ((check === undefined) === (suite === undefined))
      throw new ValidationError({ check: 'Give a check or a suite.' })
    const ids =
      suite === undefined
        ? [check ?? '']
        : (await requireSuite(db(), ctx, suite)).map(({ id }) => id)
    const checks: CheckInFile[] = []
    const leftOut: string[] = []
    for (const id of ids) {
      const row = await requireCheck(db(), ctx, id)
      const why = whyNotInFile(row)
      if (why === null) checks.push(await inFile(db(), row))
      else leftOut.push(`${row.name} is not in the file: ${why}.`)
    }
    if (checks.length === 0) throw new ConflictError(`Nothing to export. ${leftOut.join(' ')}`)
    const file = { toolgateChecks: 1 as const, checks }
    if (Buffer.byteLength(checkFileText(file)) > mostFileBytes)
      throw new ConflictError(
        'The file would be larger than 1 MB. Export a smaller suite, or one check.',
      )
    return { file, leftOut }
  },
})

const Import = z.object({
  file: CheckFile,
  replace: z
    .boolean()
    .default(false)
    .meta({ description: 'Replaces checks of the account that have the same names.' }),
})

const names = z.array(z.string())
const Imported = z.object({ created: names, replaced: names, unchanged: names })

/**
 * Stores the checks of a file as checks of the caller. Whoever imports a check counts as the author of its prompt and of its results,
 * and approves no call of its runs. Throws ConflictError for a name that the caller has already, unless it is to be replaced.
 */
export const importChecks = verb({
  name: 'check.import',
  role: 'member',
  scope: 'checks:write',
  summary: 'Stores the checks of a file, each as a check of the account.',
  reason: 'optional',
  input: Import,
  output: Imported,
  run: async ({ tx, ctx, actor }, { file, replace }) => {
    const done: z.output<typeof Imported> = { created: [], replaced: [], unchanged: [] }
    const changes: AuditedChange[] = []
    const before = await tx.check.count()
    for (const [place, given] of file.checks.entries()) {
      const at = `file.checks.${place}`
      const old = await ownCheck(tx, ctx, given.name)
      if (old && isDeepStrictEqual(await inFile(tx, old).catch(() => null), filled(given))) {
        done.unchanged.push(given.name)
        continue
      }
      if (old && !replace)
        throw new ConflictError(
          `You have a check ${given.name} already. Replace it, or rename one of the two.`,
          `${at}.name`,
        )
      const data = await columnsOf(tx, ctx, { given, old, at })
      const id = await store(tx, ctx, { data, old, name: given.name })
      const after = factsOf(await requireCheck(tx, ctx, id))
      const recordings = given.recordings.length
      changes.push({
        subject: id,
        before: old && factsOf(old),
        after: { ...after, fromFile: true, recordings, importedBy: actor.email },
      })
      done[old ? 'replaced' : 'created'].push(given.name)
    }
    if (before + done.created.length > checkLimits.checks)
      throw new ConflictError(
        `With these there would be more than ${countOf(checkLimits.checks, 'check')}, the maximum. Delete some first.`,
      )
    return changed(done, ...changes)
  },
})

/** Returns the check of the caller that has this name; null = none. Locks it. */
async function ownCheck(tx: Tx, ctx: Ctx, name: string): Promise<CheckRow | null> {
  const where = { name, createdById: ctx.actor.userId }
  const own = await tx.check.findFirst({ where, select: { id: true } })
  if (!own) return null
  await tx.$queryRaw`SELECT 1 AS locked FROM checks WHERE id = ${own.id}::uuid FOR UPDATE`
  return requireCheck(tx, ctx, own.id)
}

async function inFile(client: Tx, row: CheckRow): Promise<CheckInFile> {
  const { identifier } = await client.configuration.findUniqueOrThrow({
    where: { id: row.configurationId ?? '' },
    select: { identifier: true },
  })
  return toCheckInFile(row, identifier)
}

function filled(given: CheckInFile): CheckInFile {
  return { ...given, passes: given.passes ?? given.tries }
}

type Wanted = { given: CheckInFile; old: CheckRow | null; at: string }

/** Returns the columns of a check. Throws ValidationError for what the file names and the caller may not use. */
async function columnsOf(tx: Tx, ctx: Ctx, { given, old, at }: Wanted) {
  const { configuration, tools, overrides, outputSchema, costCap, assertions, ...same } =
    filled(given)
  requirePossible({ tries: same.tries, passes: same.passes ?? same.tries })
  const found = await findUsableConfiguration(tx, ctx, configuration).catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error
    throw new ValidationError({ [`${at}.configuration`]: error.message })
  })
  const judged = { configurationId: found.id, overrides, assertions, before: [] }
  const stored = await requireJudges(tx, ctx, judged)
  const { userId } = ctx.actor
  return {
    ...same,
    configurationId: found.id,
    configurationName: found.name,
    tools: tools ?? Prisma.JsonNull,
    overrides: overrides ?? Prisma.JsonNull,
    outputSchema: outputSchema === null ? null : JSON.stringify(outputSchema),
    costCap: costCap ?? Prisma.JsonNull,
    assertions: JSON.stringify(stored),
    runId: null,
    taskId: null,
    hadTask: false,
    starters: [...new Set([...(old?.starters ?? []), userId])],
    editors: [...new Set([...(old?.editors ?? []), userId])],
  }
}

type Columns = Awaited<ReturnType<typeof columnsOf>>

async function store(
  tx: ChangeTx,
  ctx: Ctx,
  { data, old, name }: { data: Columns; old: CheckRow | null; name: string },
): Promise<string> {
  if (old) {
    const replaced = { ...data, files: { deleteMany: {} }, version: { increment: 1 } }
    await tx.check.update({ where: { id: old.id }, data: replaced })
    return old.id
  }
  const author = { createdById: authorId(ctx), createdByLabel: ctx.actor.email }
  const { id } = await unlessTaken(() =>
    tx.check.create({ data: { id: newId(), ...data, name, ...author }, select: { id: true } }),
  )
  return id
}
