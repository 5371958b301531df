import { openSecret } from '@/lib/domains/vault/secrets'
import { requireStored } from '@/lib/edge/resource-reads'
import type { SearchEndpoint } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { searchEndpoints } from './shape'

/** Finds a search endpoint as it is stored; null = there is none. */
export function findSearchEndpoint(client: Tx, where: { id: string } | { name: string }) {
  return client.searchEndpoint.findUnique({ where })
}

/** Returns a search endpoint as it is stored, by its id or name. Throws NotFoundError. */
export const requireSearchEndpoint = requireStored(searchEndpoints, findSearchEndpoint)

/** Returns the search endpoints that are switched on, in the order in which they are asked. */
export function usableSearchEndpoints(client: Tx): Promise<SearchEndpoint[]> {
  return client.searchEndpoint.findMany({ where: { enabled: true }, orderBy: { name: 'asc' } })
}

/** Returns the key of a search endpoint in clear, for asking it; null = it has none. */
export async function openSearchKey(
  client: Tx,
  { keySecretId }: Pick<SearchEndpoint, 'keySecretId'>,
): Promise<string | null> {
  return keySecretId === null ? null : openSecret(client, keySecretId)
}
