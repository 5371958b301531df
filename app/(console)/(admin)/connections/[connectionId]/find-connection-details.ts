import { pageObject } from '@/lib/auth/or-not-found'
import { readConnection } from '@/lib/domains/connections/reads'
import { parseId } from '@/lib/kernel/parse-id'

/** Returns the connection that an address names. */
export const findConnectionDetails = pageObject((ctx, id) =>
  readConnection(ctx, { id: parseId(id, 'The connection') }),
)
