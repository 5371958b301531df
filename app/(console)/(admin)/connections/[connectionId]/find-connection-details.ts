import { readConnection } from '@toolgate/server/domains/connections/reads'
import { parseId } from '@toolgate/server/kernel/parse-id'
import { pageObject } from '@/lib/next/or-not-found'

/** Returns the connection that an address names. */
export const findConnectionDetails = pageObject((ctx, id) =>
  readConnection(ctx, { id: parseId(id, 'The connection') }),
)
