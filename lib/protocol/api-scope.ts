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

/** What a limited key cannot use: these decide about runs that start without it, and such runs do not have its limits. */
const beyondLimits: readonly ApiScope[] = [
  'configurations:write',
  'tasks:write',
  'schedules:write',
  'skills:write',
]

/** Returns the scopes among `scopes` that a limited key must not have, because runs would start through them without its limits. */
export function scopesBeyondLimits(scopes: readonly ApiScope[]): ApiScope[] {
  return scopes.filter((scope) => beyondLimits.includes(scope))
}

/** Returns the scopes that a key of this role can have: those that some route allows to the role. */
export function scopesOf(role: Role): readonly ApiScope[] {
  return role === 'admin' ? ApiScope.options : memberScopes
}
