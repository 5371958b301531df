import { z } from 'zod'
import { describedNouns, type NounKey, nounsBeside } from './nouns'
import type { Role } from './tool'

/** A scope that follows from a described noun. */
export type NounScope = `${(typeof describedNouns)[NounKey]['nouns']}:${'read' | 'write'}`

/** Returns the scopes of described nouns: to read the objects of each, then to change them. */
function ofNouns(...keys: readonly NounKey[]): NounScope[] {
  return keys.flatMap((key): NounScope[] => {
    const { nouns } = describedNouns[key]
    return [`${nouns}:read`, `${nouns}:write`]
  })
}

/** The described nouns whose scopes stand among others; those of all others stand together. */
const placed = {
  gates: ['approvalRules'],
  prompts: ['tasks', 'schedules'],
  access: ['groups', 'servers', 'channels', 'workspaces'],
  later: ['programs', 'storages', 'sites', 'budgets'],
} as const

const scopes = [
  'runs:write',
  'runs:read',
  'approvals:read',
  'approvals:write',
  ...ofNouns(...placed.gates),
  'memory:read',
  'memory:write',
  'checks:read',
  'checks:write',
  'tools:read',
  'tools:write',
  'connections:read',
  'connections:write',
  'models:read',
  'models:write',
  'configurations:read',
  'configurations:write',
  ...ofNouns(...placed.prompts),
  'skills:read',
  'skills:write',
  'usage:read',
  'settings:read',
  'settings:write',
  ...ofNouns(...placed.access),
  ...ofNouns(...nounsBeside(Object.values(placed).flat())),
  ...ofNouns(...placed.later),
  'accounts:read',
  'accounts:write',
  'api-keys:read',
  'api-keys:write',
] as const

/** The scopes of keys. A key never allows more than its owner's role. */
export const ApiScope = z.enum(scopes)
export type ApiScope = z.infer<typeof ApiScope>

const memberScopes: readonly ApiScope[] = [
  'runs:write',
  'runs:read',
  'approvals:read',
  'approvals:write',
  'memory:read',
  'memory:write',
  'checks:read',
  'checks:write',
  'tools:read',
  'tasks:read',
  'workspaces:read',
  'workspaces:write',
  'accounts:read',
  'accounts:write',
]

/**
 * The scopes for changes before which the console asks a person to confirm their identity (SPEC A6, A7). They are given with such
 * a confirmation and never to a limited key.
 */
const sensitiveScopes: ReadonlySet<ApiScope> = new Set([
  'tools:write',
  'connections:write',
  'api-keys:write',
  'accounts:write',
  ...ofNouns(...nounsBeside([]).filter((key) => describedNouns[key].isSensitive)).filter((scope) =>
    scope.endsWith(':write'),
  ),
])

/** Returns the sensitive scopes among `scopes`. */
export function sensitiveAmong(scopes: readonly ApiScope[]): ApiScope[] {
  return scopes.filter((scope) => sensitiveScopes.has(scope))
}

/** Scopes for changes that a limited key may have. Any other would decide about runs and limits beyond its own. */
const writesOfLimited: readonly ApiScope[] = ['runs:write', 'approvals:write', 'memory:write']

/** Returns the scopes among `scopes` that a limited key cannot use. */
export function scopesBeyondLimits(scopes: readonly ApiScope[]): ApiScope[] {
  return scopes.filter((scope) => !scope.endsWith(':read') && !writesOfLimited.includes(scope))
}

/** Completes "A limited key can …". */
export const limitedWords =
  'read, start runs, decide about waiting calls and change memory, and nothing else'

/** Returns the scopes that a key of this role can have: those that some route allows to the role. */
export function scopesOf(role: Role): readonly ApiScope[] {
  return role === 'admin' ? ApiScope.options : memberScopes
}
