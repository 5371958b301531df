import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '@/lib/doors/api/endpoints'
import { ApiScope, scopesOf } from '@/lib/protocol/api-scope'

/** Returns the roles that may use the routes of each scope, from the routes themselves. */
function rolesByScope(): Map<string, Set<string>> {
  const roles = new Map<string, Set<string>>()
  const files = readdirSync('app/api', { recursive: true, encoding: 'utf8' })
  for (const path of files.filter((file) => file.endsWith('route.ts'))) {
    const source = readFileSync(join('app/api', path), 'utf8')
    for (const [, role = '', scope = ''] of source.matchAll(declared)) {
      roles.set(scope, new Set([...(roles.get(scope) ?? []), role]))
    }
  }
  for (const { role, scope } of endpoints) {
    if (scope) roles.set(scope, new Set([...(roles.get(scope) ?? []), role]))
  }
  return roles
}
const declared = /role: '(\w+)',\s*scope: '([\w:-]+)'/g

test('a role has the scopes that some route allows to it', () => {
  const roles = rolesByScope()
  expect([...roles.keys()].toSorted()).toEqual(ApiScope.options.toSorted())
  const forMembers = ApiScope.options.filter((scope) => roles.get(scope)?.has('member'))
  expect(scopesOf('member').toSorted()).toEqual(forMembers.toSorted())
  expect(scopesOf('admin')).toEqual(ApiScope.options)
})
