import 'server-only'
import type { Ctx } from '@toolgate/server/kernel/context'
import { NotFoundError } from '@toolgate/server/kernel/errors'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { requireAdmin } from './require-user'

/**
 * Returns what is read. Shows the page "nothing here", with status 404, when it does not exist or is not the reader's, so
 * that nobody can tell the two apart.
 */
export async function orNotFound<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}

/** Makes what finds the object of an admin page by the id in its address. Layout and pages ask; it is read once a request. */
export function pageObject<T>(read: (ctx: Ctx, id: string) => Promise<T>) {
  return cache((id: string) => orNotFound(async () => read(await requireAdmin(), id)))
}
