import { pageObject } from '@/lib/auth/or-not-found'
import { taskVerbs } from '@/lib/domains/tasks/verbs'

/** Returns the task that an address names. */
export const findTask = pageObject((ctx, id) => taskVerbs.read(ctx, { id }))
