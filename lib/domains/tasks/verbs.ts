import { requireStored } from '@/lib/edge/resource-reads'
import { versionedVerbs } from '@/lib/edge/versioned-verbs'
import { Prisma } from '@/lib/generated/prisma/client'
import { authorId, type Ctx, requireRole } from '@/lib/kernel/context'
import { type ChangeTx, db, type Tx } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { storedSchema } from '@/lib/protocol/parameters/parameter-values'
import { pageTasks, readTask, readVersions } from './reads'
import { type TaskDetail, tasks } from './shape'
import { configurationsOf, membersOf } from './shared/panel-of-task'
import type { TaskPanel } from './shared/task-panel'

/**
 * The operations on tasks. Active runs keep what they began with, and lose the tools that the skills of their task no longer
 * list (SPEC R1, G-X); gates read these skills, so no call starts during a change (SPEC G-F). Runs of a deleted task stay
 * and keep its name in their journals.
 */
export const taskVerbs = versionedVerbs(tasks, {
  summaries: {
    create: 'Adds a task.',
    update: 'Changes a task, as a new version, or switches it. Fields that are left out stay.',
    remove: 'Deletes a task with its versions.',
    list: 'Lists all tasks, those that are off, too.',
    read: 'Returns a task with everything of it but its history.',
  },
  changesPolicy: ['create', 'update', 'remove'],
  check: async ({ tx }, { panel }) => {
    if (panel) await requireConfigurations(tx, panel)
  },
  page: pageTasks,
  store: {
    count: (client) => client.task.count(),
    find: readTask,
    insert: async (tx, { skills, outputSchema, panel, ...columns }) =>
      tx.task.create({
        data: {
          ...columns,
          panel: panel ?? Prisma.DbNull,
          members: { create: await memberRows(tx, panel) },
          outputSchema: storedSchema(outputSchema),
          skills: { create: skillRows(skills) },
        },
      }),
    write: async (tx, id, { skills, outputSchema, panel, ...columns }) =>
      tx.task.update({
        where: { id },
        data: {
          ...columns,
          ...(outputSchema !== undefined && { outputSchema: storedSchema(outputSchema) }),
          ...(panel !== undefined && {
            panel: panel ?? Prisma.DbNull,
            members: { deleteMany: {}, create: await memberRows(tx, panel) },
          }),
          ...(skills && { skills: { deleteMany: {}, create: skillRows(skills) } }),
        },
      }),
    remove: ({ tx }, { id }) => tx.task.delete({ where: { id } }),
  },
  versions: {
    summaries: {
      clone: 'Adds a task like another one, with its skills, under a name of its own.',
      versions: 'Lists the last versions of a task, newest first.',
      restore: 'Brings an old version of a task back as a new one.',
    },
    add: async (tx, taskId, version) => {
      const where = { id: taskId }
      const { authors } = await tx.task.findUniqueOrThrow({ where, select: { authors: true } })
      return tx.taskVersion.create({ data: { taskId, ...version, authors } })
    },
    find: (client, taskId, version) =>
      client.taskVersion.findUnique({ where: { taskId_version: { taskId, version } } }),
    list: readVersions,
  },
  touched: async (tx, id, written) => {
    if (written?.names.some((name) => name !== 'enabled'))
      await writeAuthors(tx, id, { author: authorId(written.ctx), isNew: written.before === null })
  },
  detail: async ({ id, createdAt }) => ({
    runs: await db().run.count({ where: { taskId: id } }),
    createdAt: createdAt.toISOString(),
  }),
})

/**
 * Stores who counts as author of a task (SPEC A10): who changes it, and who is the author of a version with the prompt that it has
 * now, so that neither a small change nor a restored version lifts anybody.
 */
async function writeAuthors(
  tx: ChangeTx,
  taskId: string,
  { author, isNew }: { author: string | null; isNew: boolean },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE tasks t SET "createdById" = CASE WHEN ${isNew} THEN ${author}::uuid ELSE t."createdById" END,
      authors = ARRAY(SELECT a FROM (
        SELECT ${author}::uuid AS a
        UNION SELECT unnest(v.authors) FROM task_versions v
        WHERE v."taskId" = t.id AND v.data->>'prompt' = t.prompt) found WHERE a IS NOT NULL)
    WHERE t.id = ${taskId}::uuid`
}

/** Throws ValidationError beside each member of a panel that names a configuration which does not exist. */
async function requireConfigurations(tx: Tx, panel: TaskPanel): Promise<void> {
  const where = { identifier: { in: configurationsOf(panel) } }
  const found = await tx.configuration.findMany({ where, select: { identifier: true } })
  const known = new Set(found.map(({ identifier }) => identifier))
  const errors = membersOf(panel).flatMap(({ path, configuration: name }) =>
    name === null || known.has(name)
      ? []
      : [[`panel.${path}`, `There is no configuration ${name}. Pick one that exists.`]],
  )
  if (errors.length > 0) throw new ValidationError(Object.fromEntries(errors))
}

/** Returns the configurations that a panel names, which keep it from those who may not use them. */
async function memberRows(tx: Tx, panel: TaskPanel | null): Promise<{ configurationId: string }[]> {
  if (panel === null) return []
  const where = { identifier: { in: configurationsOf(panel) } }
  const found = await tx.configuration.findMany({ where, select: { id: true } })
  return found.map(({ id }) => ({ configurationId: id }))
}

function skillRows(skills: readonly Pick<TaskDetail['skills'][number], 'id' | 'enabled'>[]) {
  return skills.map(({ id: skillId, enabled }, position) => ({ skillId, enabled, position }))
}

/** Returns the id of the task with this id or identifier, on or off. Throws NotFoundError. Admins only. */
export async function findTask(
  ctx: Ctx,
  idOrIdentifier: string,
): Promise<{ id: string; identifier: string }> {
  requireRole(ctx, 'admin')
  const { id, identifier } = await requireTask(db(), idOrIdentifier)
  return { id, identifier }
}

const requireTask = requireStored(tasks, readTask)
