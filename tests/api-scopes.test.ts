import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ApiScope, adminScopes } from '@/lib/api-keys/schemas'

/** Who may ask the routes of each scope, as the routes themselves say it. */
function rolesByScope(): Map<string, Set<string>> {
  const roles = new Map<string, Set<string>>()
  const files = readdirSync('app/api', { recursive: true, encoding: 'utf8' })
  for (const path of files.filter((file) => file.endsWith('route.ts'))) {
    const source = readFileSync(join('app/api', path), 'utf8')
    for (const [, role = '', scope = ''] of source.matchAll(declared)) {
      roles.set(scope, new Set([...(roles.get(scope) ?? []), role]))
    }
  }
  return roles
}
const declared = /role: '(\w+)',\s*scope: '([\w:]+)'/g

test('a scope is for admins when every route that asks for it is', () => {
  const roles = rolesByScope()
  expect([...roles.keys()].toSorted()).toEqual(ApiScope.options.toSorted())
  const forAdmins = ApiScope.options.filter((scope) => !roles.get(scope)?.has('member'))
  expect(adminScopes.toSorted()).toEqual(forAdmins.toSorted())
})
