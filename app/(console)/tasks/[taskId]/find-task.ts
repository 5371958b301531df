import { taskVerbs } from '@toolgate/server/domains/tasks/verbs'
import { readOwnTask } from '@toolgate/server/runs/lists/own-tasks'
import { cache } from 'react'
import { orNotFound, pageObject } from '@/lib/next/or-not-found'
import { requireUser } from '@/lib/next/require-user'

/** Returns the task that an address names, for admins. */
export const findTask = pageObject((ctx, id) => taskVerbs.read(ctx, { id }))

/** Returns the task that an address names, as its reader may see it. */
export async function findTaskOf(id: string) {
  const { actor } = await requireUser()
  return actor.role === 'admin' ? findTask(id) : findOwnTask(id)
}

/** Returns the task that an address names as somebody sees it who may run it. It is read once a request. */
export const findOwnTask = cache((id: string) =>
  orNotFound(async () => readOwnTask(await requireUser(), id)),
)
