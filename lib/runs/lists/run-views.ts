import 'server-only'
import { z } from 'zod'
import { type AuditedChange, changed, unchanged, verb } from '@/lib/edge/verb'
import type { Prisma } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { type ChangeTx, db, isUniqueViolation, type Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import { parseId } from '@/lib/kernel/parse-id'
import {
  RunColumns,
  RunView,
  readViewQuery,
  runColumnsOf,
  ViewName,
  ViewQuery,
  viewLimits,
} from './view-schemas'

const withOwner = { user: { select: { email: true } } } as const satisfies Prisma.RunViewInclude
type Stored = Prisma.RunViewGetPayload<{ include: typeof withOwner }>

const mostShared = 200
const keptDeletedMs = 24 * 3_600_000
const what = 'The view'

export const listRunViews = verb({
  name: 'run-view.list',
  role: 'member',
  scope: 'runs:read',
  summary:
    'Lists the saved views of runs: the caller’s own, and those that admins share with everybody.',
  input: z.object({}),
  output: z.object({ views: z.array(RunView) }),
  transaction: false,
  run: async ({ ctx }) => {
    const orderBy = [{ name: 'asc' as const }, { id: 'asc' as const }]
    const { userId } = ctx.actor
    const [own, others] = await Promise.all([
      db().runView.findMany({ where: { userId, deletedAt: null }, orderBy, include: withOwner }),
      db().runView.findMany({
        where: { shared: true, deletedAt: null, NOT: { userId } },
        orderBy,
        take: mostShared,
        include: withOwner,
      }),
    ])
    return { views: [...own, ...others].map((view) => toView(ctx, view)) }
  },
})

export const createRunView = verb({
  name: 'run-view.create',
  role: 'member',
  scope: 'runs:write',
  summary:
    'Saves a view of runs for the caller. Only admins save one that everybody sees, which the audit has.',
  input: z.object({
    name: ViewName,
    query: ViewQuery,
    columns: RunColumns,
    shared: z.boolean().default(false),
  }),
  output: RunView,
  run: async ({ tx, ctx, actor: { userId } }, { name, query, columns, shared }) => {
    if (shared) requireRole(ctx, 'admin')
    await requireRoom(tx, userId)
    const data = { id: newId(), userId, name, query, columns, shared }
    const view = await unlessTaken(() => tx.runView.create({ data, include: withOwner }))
    return sharedChange(toView(ctx, view), null, view)
  },
})

export const updateRunView = verb({
  name: 'run-view.update',
  role: 'member',
  scope: 'runs:write',
  summary:
    'Changes name, filter, order or columns of a view of the caller. The audit has it when everybody sees the view.',
  input: z.object({
    id: z.string().max(100),
    name: ViewName.optional(),
    query: ViewQuery.optional(),
    columns: RunColumns.optional(),
  }),
  output: RunView,
  run: async ({ tx, ctx }, { id, ...given }) => {
    const before = await lockView(tx, ctx, id)
    requireOwn(ctx, before)
    if (before.shared) requireRole(ctx, 'admin')
    const view = await unlessTaken(() =>
      tx.runView.update({ where: { id: before.id }, data: given, include: withOwner }),
    )
    return sharedChange(toView(ctx, view), before, view)
  },
})

export const shareRunView = verb({
  name: 'run-view.share',
  role: 'member',
  scope: 'runs:write',
  summary: 'Shares a view of the caller with everybody, as an admin, or stops sharing it.',
  audits: ['run-view.share', 'run-view.stop-sharing'],
  input: z.object({ id: z.string().max(100), shared: z.boolean() }),
  output: RunView,
  run: async ({ tx, ctx }, { id, shared }) => {
    const before = await lockView(tx, ctx, id)
    if (shared) {
      requireRole(ctx, 'admin')
      requireOwn(ctx, before)
    }
    if (before.shared === shared) return unchanged(toView(ctx, before))
    const data = { shared }
    const view = await tx.runView.update({ where: { id: before.id }, data, include: withOwner })
    return changed(toView(ctx, view), {
      subject: view.id,
      before: audited(before),
      after: audited(view),
      action: shared ? 'run-view.share' : 'run-view.stop-sharing',
    })
  },
})

export const deleteRunView = verb({
  name: 'run-view.delete',
  role: 'member',
  scope: 'runs:write',
  summary:
    'Deletes a view of the caller or, as an admin, a shared one. The audit has it when everybody saw the view.',
  input: z.object({ id: z.string().max(100) }),
  run: async ({ tx, ctx }, { id }) => {
    const before = await lockView(tx, ctx, id)
    await tx.runView.update({ where: { id: before.id }, data: { deletedAt: new Date() } })
    return sharedChange(undefined, before, null)
  },
})

export const restoreRunView = verb({
  name: 'run-view.restore',
  role: 'member',
  scope: null,
  summary:
    'Restores a view that was deleted within a day. The audit has it when everybody sees the view.',
  input: z.object({ id: z.string().max(100) }),
  output: RunView,
  run: async ({ tx, ctx }, { id }) => {
    const before = await lockView(tx, ctx, id, { deletedAt: { not: null } })
    await requireRoom(tx, before.userId)
    const data = { deletedAt: null }
    const view = await unlessTaken(() =>
      tx.runView.update({ where: { id: before.id }, data, include: withOwner }),
    )
    return sharedChange(toView(ctx, view), null, view)
  },
})

/**
 * Returns the view with this id or name that the caller may use: their own before those of others. Throws ConflictError when
 * several people share one of this name, NotFoundError when there is none.
 */
export async function findRunView(ctx: Ctx, named: string): Promise<RunView> {
  const { views } = await listRunViews(ctx, {})
  const name = named.trim().toLowerCase()
  const found = views.filter((view) => view.id === name || view.name.toLowerCase() === name)
  const [view] = found
  if (!view) throw new NotFoundError(what)
  if (!view.mine && found.length > 1)
    throw new ConflictError('Several people share a view of this name. Give its id.')
  return view
}

function toView(ctx: Ctx, { user, userId, ...view }: Stored): RunView {
  return {
    id: view.id,
    name: view.name,
    query: readViewQuery(view.query),
    columns: runColumnsOf(view.columns),
    shared: view.shared,
    mine: userId === ctx.actor.userId,
    by: user.email,
    updatedAt: view.updatedAt.toISOString(),
  }
}

/** Returns the answer of a verb; what only its owner sees is nobody else’s business, so the audit has no row of it. */
function sharedChange<T>(output: T, before: Stored | null, after: Stored | null) {
  if (!before?.shared && !after?.shared) return unchanged(output)
  const subject = after?.id ?? before?.id ?? null
  const change: AuditedChange = { subject, before: audited(before), after: audited(after) }
  return changed(output, change)
}

function audited(view: Stored | null) {
  if (!view) return null
  const { name, query, columns, shared, user } = view
  return { name, owner: user.email, shared, query, columns }
}

/** Returns a view that the caller may stop sharing or delete, and locks it. Any other does not exist for them (SPEC A3). */
async function lockView(
  tx: Tx,
  ctx: Ctx,
  given: string,
  state: Prisma.RunViewWhereInput = { deletedAt: null },
): Promise<Stored> {
  const id = parseId(given, what)
  await tx.$queryRaw`SELECT 1 AS locked FROM run_views WHERE id = ${id}::uuid FOR NO KEY UPDATE`
  const view = await tx.runView.findFirst({ where: { id, AND: state }, include: withOwner })
  const isOwn = view?.userId === ctx.actor.userId
  if (!view || !(isOwn || view.shared)) throw new NotFoundError(what)
  if (!isOwn) requireRole(ctx, 'admin')
  return view
}

function requireOwn(ctx: Ctx, { userId, user }: Stored): void {
  if (userId === ctx.actor.userId) return
  throw new ConflictError(`This view belongs to ${user.email}. Save it as a view of your own.`)
}

/** Locks the views of one person, removes what was deleted long ago, and throws when they have as many as they may. */
async function requireRoom(tx: ChangeTx, userId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 AS locked FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`
  const before = new Date(Date.now() - keptDeletedMs)
  await tx.runView.deleteMany({ where: { userId, deletedAt: { lt: before } } })
  const count = await tx.runView.count({ where: { userId, deletedAt: null } })
  if (count >= viewLimits.views)
    throw new ConflictError(`A person has at most ${viewLimits.views} views. Delete one first.`)
}

async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error))
      throw new ConflictError('Another view of the same person has this name.', 'name')
    throw error
  }
}
