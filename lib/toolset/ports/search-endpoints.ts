import 'server-only'
import { askedAddress } from '@/lib/domains/search-endpoints/shared/search-kind'
import { openSearchKey, usableSearchEndpoints } from '@/lib/domains/search-endpoints/stored'
import type { SearchEndpoint } from '@/lib/engines/tools/tool-resources'
import type { SearchEndpoint as Row } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { AppError } from '@/lib/kernel/errors'

/** Returns the search endpoints that are switched on, in the order in which they are asked. */
export async function searchEndpointsOf(client: Tx): Promise<SearchEndpoint[]> {
  return (await usableSearchEndpoints(client)).map((row) => toAsk(client, row))
}

/** Returns a search endpoint for asking it. */
export function toAsk(client: Tx, row: Row): SearchEndpoint {
  const { id, name, kind, privateAddressAllowed } = row
  return {
    id,
    name,
    kind,
    privateAddressAllowed,
    address: askedAddress(row),
    openKey: () => openSearchKey(client, row).catch(unopened),
  }
}

function unopened(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}
