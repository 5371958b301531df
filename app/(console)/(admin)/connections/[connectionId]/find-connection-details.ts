import { notFound } from 'next/navigation'
import { readConnection } from '@/lib/domains/connections/reads'
import type { ConnectionDetails } from '@/lib/domains/connections/schemas'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'

/** The connection an address names; an address that names none gets the "nothing here" page with status 404. */
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
