import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { taskNamed } from './read-task-for-run'

/** The id of the task with this id or identifier, one that is off too. NotFoundError when there is none. Admins only. */
export async function findTask(
  ctx: Ctx,
  idOrIdentifier: string,
): Promise<{ id: string; identifier: string }> {
  requireRole(ctx, 'admin')
  const row = await db().task.findFirst({
    where: taskNamed(idOrIdentifier),
    select: { id: true, identifier: true },
  })
  if (!row) throw new NotFoundError('The task')
  return row
}
