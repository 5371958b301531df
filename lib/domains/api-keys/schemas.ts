import { z } from 'zod'
import { ApiScope } from '../../protocol/api-scope'
import { Name } from '../../protocol/identifier'

export const CreateApiKey = z.object({
  name: Name,
  scopes: z
    .array(ApiScope)
    .min(1, 'Pick at least one scope.')
    .transform((scopes) => [...new Set(scopes)]),
  /** Days until it expires, 90 unless said otherwise; null = never. */
  expiresInDays: z
    .int('Enter a whole number of days.')
    .min(1, 'At least 1 day.')
    .max(3_650, 'At most 3,650 days.')
    .nullable()
    .default(90),
  /** Whose key; null = one's own. Only admins may make keys for others. */
  userId: z.uuid().nullable().default(null),
})
export type CreateApiKey = z.input<typeof CreateApiKey>

/** A key as lists show it: `prefix` is its public beginning. Times are ISO text in UTC. */
export type ApiKeyListing = {
  id: string
  userId: string
  userEmail: string
  name: string
  prefix: string
  scopes: ApiScope[]
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
  runsUnderWay: number
}
