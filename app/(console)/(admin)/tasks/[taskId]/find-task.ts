import 'server-only'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { requireAdmin } from '@/lib/auth/require-user'
import { readTask } from '@/lib/domains/tasks/reads'
import { NotFoundError } from '@/lib/kernel/errors'

/** The task of this page, read once a request; 404 when there is none. */
export const findTask = cache(async (taskId: string) => {
  try {
    return await readTask(await requireAdmin(), taskId)
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
})
