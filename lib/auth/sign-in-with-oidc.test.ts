import { expect, test } from 'vitest'
import { parseEnv } from '@/lib/kernel/env'
import { claimOf, joinedClaims } from './oidc'
import { mappedGroups, mappedRole } from './sign-in-with-oidc'

const mapping = {
  adminGroups: ['ops'],
  memberGroups: ['staff', 'guests'],
  groupMap: [
    { theirs: 'writers', ours: 'Editors' },
    { theirs: 'editors', ours: 'Editors' },
    { theirs: 'tier-1', ours: 'Support' },
  ],
}

test('admin wins over member, and no group means no role', () => {
  expect(mappedRole(new Set(['staff', 'ops']), mapping)).toBe('admin')
  expect(mappedRole(new Set(['guests']), mapping)).toBe('member')
  expect(mappedRole(new Set(['OPS', 'ops ', 'constructor']), mapping)).toBeNull()
  expect(mappedRole(new Set(), mapping)).toBeNull()
})

test('several of their groups may lead to one of ours', () => {
  expect(mappedGroups(new Set(['writers', 'editors', 'other']), mapping)).toEqual({
    decided: ['Editors', 'Support'],
    wanted: ['Editors'],
  })
})

const keycloak = { realm_access: { roles: ['staff'] }, 'app.example.org': { roles: ['ops'] } }

test.each([
  ['realm_access.roles', keycloak, ['staff']],
  ['app.example.org.roles', keycloak, ['ops']],
  // A claim that has the whole name wins, however it is nested elsewhere.
  ['realm_access.roles', { ...keycloak, 'realm_access.roles': ['guests'] }, ['guests']],
  ['https://example.org/roles', { 'https://example.org/roles': ['ops'] }, ['ops']],
  ['groups', { groups: ['staff'] }, ['staff']],
  ['realm_access.groups', keycloak, undefined],
  ['realm_access.roles.length.x', keycloak, undefined],
  ['constructor.name', keycloak, undefined],
  ['a.b', { a: null }, undefined],
  ['.', { '': { '': ['x'] } }, undefined],
])('the claim %s is found by its name or its path', (name, claims, groups) => {
  expect(claimOf(claims, name)).toEqual(groups)
})

test('groups of the user information count where the token has only another part of their claim', () => {
  const settings = { groupsClaim: 'realm_access.roles' }
  const token = { sub: '1', realm_access: { policy: 'x' } }
  const joined = joinedClaims(token, { ...keycloak, sub: '1', email: 'a@example.org' }, settings)
  expect(claimOf(joined, settings.groupsClaim)).toEqual(['staff'])
  expect(joined).toMatchObject({
    sub: '1',
    email: 'a@example.org',
    realm_access: token.realm_access,
  })
  const own = { sub: '1', realm_access: { roles: ['guests'] } }
  expect(claimOf(joinedClaims(own, keycloak, settings), settings.groupsClaim)).toEqual(['guests'])
})

const base = {
  DATABASE_URL: 'postgresql://localhost/x',
  NEXTAUTH_SECRET: 'x'.repeat(32),
  TOOLGATE_VAULT_KEY: Buffer.alloc(32).toString('base64'),
}
const complete = {
  ...base,
  TOOLGATE_OIDC_ISSUER: 'https://id.example.org',
  TOOLGATE_OIDC_CLIENT_ID: 'toolgate',
  TOOLGATE_OIDC_CLIENT_SECRET: 'secret',
  TOOLGATE_OIDC_MEMBER_GROUPS: 'staff, guests,',
  TOOLGATE_OIDC_GROUP_MAP: 'writers=Editors, tier-1=First line',
}

test('the environment is read', () => {
  expect(parseEnv(complete)).toMatchObject({
    TOOLGATE_OIDC_MEMBER_GROUPS: ['staff', 'guests'],
    TOOLGATE_OIDC_GROUP_MAP: [
      { theirs: 'writers', ours: 'Editors' },
      { theirs: 'tier-1', ours: 'First line' },
    ],
    TOOLGATE_OIDC_SCOPES: 'openid email profile',
    TOOLGATE_PASSWORD_SIGN_IN: 'on',
  })
  expect(() => parseEnv({ ...complete, TOOLGATE_OIDC_ISSUER: 'http://127.0.0.1:9' })).not.toThrow()
})

test.each([
  ['TOOLGATE_OIDC_ISSUER', 'http://id.example.org', /TOOLGATE_OIDC_ISSUER must be an https/],
  ['TOOLGATE_OIDC_CLIENT_SECRET', undefined, /TOOLGATE_OIDC_CLIENT_SECRET must be set/],
  ['TOOLGATE_OIDC_CLIENT_ID', undefined, /TOOLGATE_OIDC_CLIENT_ID must be set/],
  ['TOOLGATE_OIDC_MEMBER_GROUPS', '', /TOOLGATE_OIDC_MEMBER_GROUPS or TOOLGATE_OIDC_ADMIN_GROUPS/],
  ['TOOLGATE_OIDC_GROUP_MAP', 'writers', /TOOLGATE_OIDC_GROUP_MAP must be pairs/],
  ['TOOLGATE_OIDC_SCOPES', 'email', /TOOLGATE_OIDC_SCOPES must contain openid/],
  ['TOOLGATE_PASSWORD_SIGN_IN', 'no', /TOOLGATE_PASSWORD_SIGN_IN must be on or off/],
] as const)('%s = %j is refused by name', (name, value, message) => {
  expect(() => parseEnv({ ...complete, [name]: value })).toThrow(message)
})

test('passwords cannot be switched off where nothing else lets people in', () => {
  expect(() => parseEnv({ ...base, TOOLGATE_PASSWORD_SIGN_IN: 'off' })).toThrow(
    /TOOLGATE_PASSWORD_SIGN_IN can be off only when TOOLGATE_OIDC_ISSUER is set/,
  )
})
