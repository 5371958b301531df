import { notFound } from 'next/navigation'
import { type ConnectionDetails, readConnection } from '@/lib/connections/read-connection'
import type { Ctx } from '@/lib/context'
import { NotFoundError } from '@/lib/errors'

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
