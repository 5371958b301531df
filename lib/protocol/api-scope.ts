import { z } from 'zod'
import type { Role } from './tool'

/** The scopes of keys. A key never allows more than its owner's role. */
export const ApiScope = z.enum([
  'runs:write',
  'runs:read',
  'approvals:read',
  'approvals:write',
  'approval-rules:read',
  'approval-rules:write',
  'memory:read',
  'memory:write',
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
  'schedules:read',
  'schedules:write',
  'skills:read',
  'skills:write',
  'usage:read',
  'settings:read',
  'settings:write',
  'groups:read',
  'groups:write',
  'servers:read',
  'servers:write',
  'channels:read',
  'channels:write',
  'workspaces:read',
  'workspaces:write',
  'hosts:read',
  'hosts:write',
  'search-endpoints:read',
  'search-endpoints:write',
  'data-sources:read',
  'data-sources:write',
  'programs:read',
  'programs:write',
  'storages:read',
  'storages:write',
  'sites:read',
  'sites:write',
  'budgets:read',
  'budgets:write',
  'api-keys:read',
  'api-keys:write',
])
export type ApiScope = z.infer<typeof ApiScope>

const memberScopes: readonly ApiScope[] = [
  'runs:write',
  'runs:read',
  'approvals:read',
  'approvals:write',
  'memory:read',
  'memory:write',
  'tools:read',
  'tasks:read',
  'workspaces:read',
  'workspaces:write',
]

/**
 * The scopes for changes before which the console asks a person to confirm their identity (SPEC A6, A7). They are given with such
 * a confirmation and never to a limited key.
 */
const sensitiveScopes: readonly ApiScope[] = [
  'tools:write',
  'connections:write',
  'servers:write',
  'channels:write',
  'workspaces:write',
  'hosts:write',
  'storages:write',
  'search-endpoints:write',
  'data-sources:write',
  'programs:write',
  'sites:write',
  'api-keys:write',
]

/** Returns the sensitive scopes among `scopes`. */
export function sensitiveAmong(scopes: readonly ApiScope[]): ApiScope[] {
  return scopes.filter((scope) => sensitiveScopes.includes(scope))
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
