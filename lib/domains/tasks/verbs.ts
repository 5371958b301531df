import { db } from '../../kernel/db'
import { versionedVerbs } from '../../kernel/versioned-verbs'
import { storedSchema } from '../../protocol/parameter-values'
import { pageTasks, readTask, readVersions } from './reads'
import { type TaskDetail, tasks } from './shape'

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
  page: pageTasks,
  store: {
    count: (client) => client.task.count(),
    find: readTask,
    insert: (tx, { skills, outputSchema, ...columns }) =>
      tx.task.create({
        data: {
          ...columns,
          outputSchema: storedSchema(outputSchema),
          skills: { create: skillRows(skills) },
        },
      }),
    write: (tx, id, { skills, outputSchema, ...columns }) =>
      tx.task.update({
        where: { id },
        data: {
          ...columns,
          ...(outputSchema !== undefined && { outputSchema: storedSchema(outputSchema) }),
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
    add: (tx, taskId, version) => tx.taskVersion.create({ data: { taskId, ...version } }),
    find: (client, taskId, version) =>
      client.taskVersion.findUnique({ where: { taskId_version: { taskId, version } } }),
    list: readVersions,
  },
  detail: async ({ id, createdAt }) => ({
    runs: await db().run.count({ where: { taskId: id } }),
    createdAt: createdAt.toISOString(),
  }),
})

function skillRows(skills: readonly Pick<TaskDetail['skills'][number], 'id' | 'enabled'>[]) {
  return skills.map(({ id: skillId, enabled }, position) => ({ skillId, enabled, position }))
}
