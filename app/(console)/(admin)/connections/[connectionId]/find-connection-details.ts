import { notFound } from 'next/navigation'
import { readConnection } from '@/lib/domains/connections/reads'
import type { ConnectionDetails } from '@/lib/domains/connections/schemas'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'

/** Returns the connection of the page's address; answers 404 when there is none. */
export async function findConnectionDetails(
  ctx: Ctx,
  connectionId: string,
): Promise<ConnectionDetails> {
  try {
    return await readConnection(ctx, { id: parseId(connectionId, 'The connection') })
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}
