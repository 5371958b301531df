import { z } from 'zod'

/** What a key may be used for; a key never allows more than its owner's role does. */
export const ApiScope = z.enum([
  'runs:write',
  'runs:read',
  'approvals:read',
  'approvals:write',
  'tools:read',
  'tools:write',
  'connections:read',
  'connections:write',
  'models:read',
  'models:write',
  'configurations:read',
  'configurations:write',
  'tasks:read',
  'tasks:write',
  'skills:read',
  'skills:write',
  'usage:read',
  'settings:read',
  'settings:write',
  'budgets:read',
  'budgets:write',
])
export type ApiScope = z.infer<typeof ApiScope>

const memberScopes: readonly ApiScope[] = [
  'runs:write',
  'runs:read',
  'approvals:read',
  'approvals:write',
  'tools:read',
  'tasks:read',
]
/** What every route refuses to a member, whatever their key says. */
export const adminScopes: readonly ApiScope[] = ApiScope.options.filter(
  (scope) => !memberScopes.includes(scope),
)

export const CreateApiKey = z.object({
  name: z.string().trim().min(1, 'Give a name.').max(100, 'A name has at most 100 characters.'),
  scopes: z
    .array(ApiScope)
    .min(1, 'Pick at least one scope.')
    .transform((scopes) => [...new Set(scopes)]),
  /** Days until it expires; null = never. */
  expiresInDays: z.int().min(1).max(3_650).nullable().default(null),
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
}
