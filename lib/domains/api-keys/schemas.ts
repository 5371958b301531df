import { z } from 'zod'
import { ApiScope } from '@/lib/protocol/api-scope'
import { ShownLimits } from '@/lib/protocol/key-limits'
import { Name } from '@/lib/shape/identifier'
import { LimitNames } from './shared/limit-names'

const limitFields = {
  tools: LimitNames.meta({
    description:
      'Names of the tools that its runs may use, beside those of `toolGroups`. Null in both = all that its owner may use.',
  }),
  toolGroups: LimitNames.meta({ description: 'Groups whose tools its runs may use.' }),
  configurations: LimitNames.meta({
    description:
      'Ids or identifiers of the configurations that it may run. Null = all that its owner may run.',
  }),
}

/** Limits that are left out: none. */
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
  /** Owner of the key; null: the caller. Only admins may make keys for others. */
  userId: z.uuid().nullable().default(null),
  ...limitFields,
})
export type CreateApiKey = z.input<typeof CreateApiKey>

/** A key as lists show it: `prefix` is its public beginning. Times are ISO text in UTC. */
export const ApiKeyListing = z.object({
  id: z.string(),
  userId: z.string(),
  userEmail: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(ApiScope),
  sensitiveScopes: z.array(ApiScope).meta({
    description:
      'Those of its scopes for changes before which the console asks a person to confirm their identity.',
  }),
  unusableScopes: z.array(ApiScope).meta({
    description: 'Those of its scopes that it cannot use because it is limited or has a budget.',
  }),
  limits: ShownLimits,
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  pausedAt: z.string().nullable().meta({
    description:
      'Since when it is off, because the installation was restored from a backup; null = it is on.',
  }),
  runsUnderWay: z.number(),
})
export type ApiKeyListing = z.output<typeof ApiKeyListing>

/** New limits of a key; what is left out stays. */
export const LimitApiKey = z.object({
  id: z.string().max(100).meta({ description: 'Id of the key, as in the list.' }),
  ...limitFields,
})
