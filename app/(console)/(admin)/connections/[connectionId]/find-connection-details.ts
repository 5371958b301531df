import { notFound } from 'next/navigation'
import { type ConnectionDetails, readConnection } from '@/lib/domains/connections/read-connection'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'

/** The connection an address names; an address that names none gets the "nothing here" page with status 404. */
export async function findConnectionDetails(
  ctx: Ctx,
  connectionId: string,
): Promise<ConnectionDetails> {
  try {
    return await readConnection(ctx, connectionId)
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}
