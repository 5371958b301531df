import { pageObject } from '@/lib/auth/or-not-found'
import { readTask } from '@/lib/domains/tasks/reads'

/** Returns the task that an address names. */
export const findTask = pageObject(readTask)
