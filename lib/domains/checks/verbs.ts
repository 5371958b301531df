import 'server-only'
import { z } from 'zod'
import { changed, verb } from '@/lib/edge/verb'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db, isUniqueViolation, type Tx } from '@/lib/kernel/db'
import { ConflictError, ForbiddenError, ValidationError } from '@/lib/kernel/errors'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import type { Assertion } from '@/lib/protocol/check/assertion'
import { assertionText } from '@/lib/protocol/check/check-words'
import type { ToolSource } from '@/lib/protocol/run/fork'
import { countOf } from '@/lib/words/format'
import {
  type CheckRow,
  definitionOf,
  detailOf,
  mayEditCheck,
  pageChecks,
  requireCheck,
  toAssertions,
} from './reads'
import { CheckDetail, CheckFilter, CheckListing, UpdateCheck, WhichCheck } from './schemas'

export const listChecks = verb({
  name: 'check.list',
  role: 'member',
  scope: 'checks:read',
  summary:
    'Lists the checks that the account may see: its own and those of its groups; admins see all.',
  input: CheckFilter,
  output: z.object({
    checks: z.array(CheckListing),
    total: z.number(),
    page: z.number(),
    pageSize: z.number(),
  }),
  transaction: false,
  run: async ({ ctx }, filter) => {
    const { page, pageSize } = filter
    return { ...(await pageChecks(db(), ctx, filter)), page, pageSize }
  },
})

/** By id or name. Throws NotFoundError when the caller may not see it. */
export const readCheck = verb({
  name: 'check.read',
  role: 'member',
  scope: 'checks:read',
  summary: 'Returns a check with its assertions and its recorded calls, without their results.',
  input: WhichCheck,
  output: CheckDetail,
  transaction: false,
  run: async ({ ctx }, { id }) => detailOf(ctx, await requireCheck(db(), ctx, id)),
})

/** Finds configurations, of which this domain knows nothing. */
type Configurations = {
  /** Returns one that the caller may use. Throws NotFoundError for others. */
  findConfiguration: (tx: Tx, ctx: Ctx, named: string) => Promise<{ id: string; name: string }>
  /** Returns assertions as they are stored. Throws ValidationError for a judge that may not be one. */
  requireJudges: (
    tx: Tx,
    ctx: Ctx,
    check: Pick<CheckRow, 'configurationId'> & {
      overrides: ReturnType<typeof definitionOf>['overrides']
      assertions: readonly Assertion[]
      before: readonly Assertion[]
    },
  ) => Promise<Assertion[]>
}

/** Returns the verb that changes a check. */
export function updateCheckVerb({ findConfiguration, requireJudges }: Configurations) {
  /** Makes whoever changes the prompt a starter of its runs, and whoever writes a result an editor, who approves none of their calls. */
  return verb({
    name: 'check.update',
    role: 'member',
    scope: 'checks:write',
    summary: 'Changes a check of the account; admins change any.',
    reason: 'optional',
    input: UpdateCheck,
    output: CheckDetail,
    run: async ({ tx, ctx, actor }, { id, version, groups, configuration, ...given }) => {
      const before = await requireEditable(tx, ctx, id)
      if (version !== undefined && version !== before.version)
        throw new ConflictError('Somebody changed the check meanwhile. Load it again.')
      const found =
        configuration === undefined ? null : await findConfiguration(tx, ctx, configuration)
      const { assertions: wanted, sources, ...fields } = given
      const { tries = before.tries, passes = before.passes } = given
      requirePossible({ tries, passes })
      const groupIds = groups && (await groupIdsOf(tx, ctx, groups, before))
      const old = definitionOf(before)
      const judged = {
        configurationId: found?.id ?? before.configurationId,
        overrides: old.overrides,
        assertions: wanted ?? toAssertions(before),
        before: toAssertions(before),
      }
      const assertions = (wanted ?? found) && (await requireJudges(tx, ctx, judged))
      const people = {
        ...(given.prompt !== undefined &&
          given.prompt !== old.prompt && { starters: withPerson(before.starters, actor.userId) }),
        ...(sources &&
          writesText(sources, old.sources) && {
            editors: withPerson(before.editors, actor.userId),
          }),
      }
      const data: Prisma.CheckUncheckedUpdateInput = {
        ...fields,
        ...people,
        ...(assertions && { assertions: JSON.stringify(assertions) }),
        ...(sources && { sources }),
        ...(found && { configurationId: found.id, configurationName: found.name }),
        ...(groupIds && {
          groups: { deleteMany: {}, create: groupIds.map((groupId) => ({ groupId })) },
        }),
        version: { increment: 1 },
      }
      await unlessTaken(() => tx.check.update({ where: { id: before.id }, data }))
      const after = await requireCheck(tx, ctx, before.id)
      return changed(detailOf(ctx, after), {
        subject: before.id,
        before: factsOf(before),
        after: factsOf(after),
      })
    },
  })
}

export const deleteCheck = verb({
  name: 'check.delete',
  role: 'member',
  scope: 'checks:write',
  summary: 'Deletes a check of the account with its results; admins delete any.',
  reason: 'optional',
  input: WhichCheck,
  run: async ({ tx, ctx }, { id }) => {
    const before = await requireEditable(tx, ctx, id)
    const open = await tx.checkResult.count({ where: { checkId: before.id, verdict: null } })
    if (open > 0)
      throw new ConflictError('A run of this check has not ended. Wait for its end, or stop it.')
    await tx.check.deleteMany({ where: { id: before.id } })
    return changed(undefined, { subject: before.id, before: factsOf(before), after: null })
  },
})

/** Returns a check and locks it. Throws ForbiddenError for one that the caller may see and not change. */
async function requireEditable(tx: Tx, ctx: Ctx, idOrName: string): Promise<CheckRow> {
  const { id } = await requireCheck(tx, ctx, idOrName)
  await tx.$queryRaw`SELECT 1 AS locked FROM checks WHERE id = ${id}::uuid FOR UPDATE`
  const row = await requireCheck(tx, ctx, id)
  if (!mayEditCheck(ctx, row))
    throw new ForbiddenError('Only its author and admins change this check. Ask one of them.')
  return row
}

/** Throws ValidationError for more tries that must pass than there are. */
export function requirePossible({ tries, passes }: { tries: number; passes: number }): void {
  if (passes > tries)
    throw new ValidationError({
      passes: `A check with ${countOf(tries, 'try', 'tries')} cannot pass that often. Give at most ${tries}.`,
    })
}

function withPerson(people: readonly string[], userId: string): string[] {
  return [...new Set([...people, userId])]
}

type Sources = Readonly<Record<string, ToolSource>>

/** Returns whether a tool returns a text that it did not before. */
export function writesText(sources: Sources, before: Sources = {}): boolean {
  return Object.entries(sources).some(([name, source]) => {
    if (source.type !== 'fixed') return false
    const old = before[name]
    return old?.type !== 'fixed' || old.content !== source.content
  })
}

/**
 * Returns the ids of groups by their ids or names. Members name groups that they are in, and those that have the check already. Throws
 * ValidationError for others.
 */
export async function groupIdsOf(
  tx: Tx,
  { actor: { role, userId } }: Ctx,
  named: readonly string[],
  before?: CheckRow,
): Promise<string[]> {
  if (named.length === 0) return []
  const has = before?.groups.map(({ group }) => group.id) ?? []
  const own = { OR: [{ members: { some: { userId } } }, { id: { in: has } }] }
  const groups = await tx.group.findMany({
    where: role === 'admin' ? {} : own,
    select: { id: true, name: true },
  })
  const ids = named.map((each) => {
    const found = groups.find(({ id, name }) => id === each || name === each)
    if (found) return found.id
    throw new ValidationError({
      groups: `There is no group ${each.slice(0, 100)}, or you are not in it. Give a group of yours.`,
    })
  })
  return [...new Set(ids)]
}

/** Returns what a statement stores. Throws ConflictError for a name that another check of its author has. */
export async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new ConflictError('Another check of the same author has this name.', 'name')
  }
}

/** Returns what the audit has of a check: no texts, which may be long. */
export function factsOf({ groups, ...row }: CheckRow) {
  const { tools, maxRounds, sources, prompt } = definitionOf({ ...row, groups })
  return {
    name: redactText(row.name, { hashes: true }),
    description: redactText(row.description, { hashes: true }),
    suites: row.suites,
    configuration: row.configuration?.name ?? row.configurationName,
    promptCharacters: prompt.length,
    tools,
    maxRounds,
    sources: Object.fromEntries(Object.entries(sources).map(([name, { type }]) => [name, type])),
    tries: row.tries,
    passes: row.passes,
    assertions: toAssertions(row).map((each) => redactText(assertionText(each), { hashes: true })),
    groups: groups.map(({ group }) => group.name).toSorted(),
    version: row.version,
  }
}
