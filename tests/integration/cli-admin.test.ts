import { beforeAll, describe, expect, test } from 'vitest'
import { authenticate } from '@/lib/auth/sign-in'
import { verifyApiKey } from '@/lib/domains/api-keys/verify-api-key'
import { acceptAccountLink } from '@/lib/domains/users/account-links'
import { openSecret } from '@/lib/domains/vault/secrets'
import { db } from '@/lib/kernel/db'
import { addPerson } from '@/tests/support/people'
import { addAuthenticatorApp, addSignedInPerson } from '@/tests/support/second-factor'
import { toolgate } from '@/tests/support/toolgate-process'

const email = 'first@example.org'

function auditOf(action: string) {
  return db().auditEntry.findFirstOrThrow({ where: { action }, orderBy: { at: 'desc' } })
}

describe('toolgate user add', () => {
  test('makes the first admin with a password that is shown once', async () => {
    const person = ['--email', email, '--name', 'First']
    const { code, stdout } = await toolgate([
      'user',
      'create',
      ...person,
      '--role',
      'admin',
      '--json',
    ])
    expect(code).toBe(0)
    const { id, password } = JSON.parse(stdout)
    expect((await authenticate(email, password))?.userId).toBe(id)
    expect((await auditOf('user.create')).actorLabel).toMatch(/^system \(in a terminal as .+\)$/)
  })

  test('takes a password from standard input and does not repeat it', async () => {
    const args = ['user', 'create', '--email', 'b@example.org', '--name', 'B', '--password-stdin']
    const finished = await toolgate(args, { input: 'lamp river quiet stone\n' })
    expect(finished.code).toBe(0)
    expect(finished.stdout + finished.stderr).not.toContain('quiet')
    expect(await authenticate('b@example.org', 'lamp river quiet stone')).not.toBeNull()
    const short = await toolgate(args, { input: 'short' })
    expect(short).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('toolgate user', () => {
  test('changes and deletes accounts, audited, but never the last admin', async () => {
    await addPerson('member', 'c@example.org')
    const role = await toolgate(['user', 'set-role', 'C@example.org', 'admin'])
    expect(role).toEqual({ code: 0, stdout: 'c@example.org is an active admin.\n', stderr: '' })
    const off = await toolgate(['user', 'disable', 'c@example.org', '--json', '--reason', 'Left'])
    expect(JSON.parse(off.stdout)).toMatchObject({ role: 'admin', disabled: true })
    expect(await auditOf('user.update')).toMatchObject({
      after: { disabled: true },
      reason: 'Left',
    })
    const gone = await toolgate(['user', 'delete', 'c@example.org'])
    expect(gone.stdout).toBe('Deleted the account c@example.org.\n')
    expect((await auditOf('user.delete')).actorLabel).toMatch(/in a terminal/)
    const last = await toolgate(['user', 'disable', email])
    expect(last).toMatchObject({ code: 1, stdout: '' })
    expect(last.stderr).toContain('This is the last admin. Make someone else an admin first.')
  })
})

describe('toolgate user, links and sessions', () => {
  test('invites, resets, sets a password and ends sessions; the audit can be read and exported', async () => {
    const person = ['--email', 'd@example.org', '--name', 'D', '--json']
    const invited = JSON.parse((await toolgate(['user', 'invite', ...person])).stdout)
    const { pathname } = new URL(invited.link)
    await acceptAccountLink(pathname.replace('/invite/', ''), {
      password: 'lamp river quiet stone',
    })
    expect((await authenticate('d@example.org', 'lamp river quiet stone'))?.userId).toBe(invited.id)
    const reset = await toolgate(['user', 'reset', 'd@example.org', '--reason', 'Lost'])
    expect(reset.stdout).toMatch(/shown only now.*\nhttp:\/\/localhost:3000\/invite\/[\w-]{43}\n$/)
    expect((await auditOf('user.reset-sign-in')).reason).toBe('Lost')
    const set = await toolgate(['user', 'set-password', 'd@example.org'], {
      input: 'another staple altogether\n',
    })
    expect(set).toMatchObject({ code: 0, stderr: '' })
    expect((await authenticate('d@example.org', 'another staple altogether'))?.userId).toBe(
      invited.id,
    )
    const ended = await toolgate(['user', 'end-sessions', 'd@example.org', '--json'])
    expect(JSON.parse(ended.stdout)).toMatchObject({ id: invited.id, ended: 0 })
    const filter = ['--object-id', invited.id]
    const { rows } = JSON.parse((await toolgate(['audit', 'list', ...filter, '--json'])).stdout)
    expect(rows.map(({ action }: { action: string }) => action)).toEqual([
      'user.set-sign-in',
      'user.reset-sign-in',
      'user.accept-invitation',
      'user.invite',
    ])
    const csv = await toolgate(['audit', 'export', ...filter])
    expect(csv.stdout.split('\r\n')).toHaveLength(6)
    expect(csv.stdout).not.toContain('quiet')
  })
})

describe('toolgate tools', () => {
  beforeAll(() => addPerson('member', 'member@example.org'))

  test('switches a tool, audited with who sat at the terminal', async () => {
    const off = await toolgate(['tools', 'disable', 'get_env', '--reason', 'Not today', '--json'])
    expect(off).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(off.stdout)).toMatchObject({ name: 'get_env', enabled: false })
    const audit = await auditOf('tool.switch-off')
    expect(audit).toMatchObject({ objectId: 'get_env', reason: 'Not today' })
    expect(audit.actorLabel).toMatch(/^first@example\.org \(in a terminal as .+\)$/)

    const listed = JSON.parse((await toolgate(['tools', 'list', '--json'])).stdout)
    expect(listed).toContainEqual(
      expect.objectContaining({ name: 'get_env', enabled: false, source: 'override' }),
    )
    const reset = await toolgate(['tools', 'reset', 'get_env'])
    expect(reset.stdout).toBe('get_env is on (its default).\n')
  })

  test('refuses what the rules refuse', async () => {
    const [raw, unknown, member] = await Promise.all([
      toolgate(['tools', 'enable', 'get_env_raw']),
      toolgate(['tools', 'enable', 'constructor', '--reason', 'x']),
      toolgate(['tools', 'disable', 'get_env', '--as', 'member@example.org']),
    ])
    expect(raw.code).toBe(2)
    expect(raw.stderr).toContain('Say why it is needed.')
    expect(unknown.code).toBe(1)
    expect(member.code).toBe(1)
    expect(member.stderr).toContain('Your role does not allow this.')
    expect(await db().toolOverride.count()).toBe(0)
  })
})

describe('toolgate connection, key and configuration', () => {
  const secret = 'sk-secret-0123456789-wxyz'

  test('store a provider, its key and a configuration with its model', async () => {
    const zone = ['--trust-zone', 'local']
    const added = await toolgate([
      'connection',
      'add',
      '--name',
      'Here',
      '--wire',
      'ollama',
      '--allow-private',
      ...zone,
    ])
    expect(added.code).toBe(0)
    const set = await toolgate(['key', 'set', '--no-test', '--connection', 'Here'], {
      input: `${secret}\n`,
    })
    expect(set).toEqual({ code: 0, stdout: 'Stored the key that ends in wxyz.\n', stderr: '' })
    const stored = await db().connection.findFirstOrThrow({ where: { name: 'Here' } })
    expect(await openSecret(db(), stored.secretId ?? '')).toBe(secret)

    const add = ['configuration', 'add', '--connection', 'Here', '--model', 'm-1']
    const prices = ['--input-price', '0.75', '--output-price', '4.5']
    const first = await toolgate([...add, '--identifier', 'one', '--name', 'One', ...prices])
    expect(first.code).toBe(0)
    expect(await db().modelPrice.findMany({ where: { model: { modelId: 'm-1' } } })).toMatchObject([
      { input: 750_000, output: 4_500_000, reasoning: null },
    ])
    const second = await toolgate([...add, '--identifier', 'two', '--name', 'Two'])
    expect(second.code).toBe(0)
    const third = await toolgate([...add, '--identifier', 'three', '--name', 'Three', ...prices])
    expect(third.code).toBe(1)
    expect(await db().configuration.count()).toBe(2)
  })

  test('never repeat a key that is none', async () => {
    const args = ['key', 'set', '--connection', 'Here']
    const { code, stdout, stderr } = await toolgate(args, { input: `${secret} with spaces` })
    expect(code).toBe(2)
    expect(stdout + stderr).not.toContain('secret-')
    expect(stderr).toMatch(/^toolgate: .+\n$/)
    expect(await db().logEntry.count({ where: { message: { contains: 'sk-secret' } } })).toBe(0)
  })
})

describe('toolgate group', () => {
  test('gives a member a configuration, and takes it away', async () => {
    const member = ['--group', 'Editors', '--user', 'b@example.org']
    const allow = ['--configuration', 'one', '--group', 'Editors']
    expect((await toolgate(['group', 'create', '--name', 'Editors'])).code).toBe(0)
    const unnamed = await toolgate(['group', 'add'])
    expect(unnamed).toMatchObject({ code: 2, stdout: '', stderr: 'toolgate: Enter a name.\n' })
    const added = await toolgate(['group', 'add-member', ...member])
    expect(added.stdout).toBe('b@example.org is now in the group.\n')
    expect((await toolgate(['configuration', 'allow', ...allow])).stdout).toBe(
      'The group may use one.\n',
    )
    const mine = await toolgate(['configuration', 'list', '--as', 'b@example.org', '--json'])
    expect(JSON.parse(mine.stdout)).toMatchObject([{ identifier: 'one' }])
    const add = ['configuration', 'add', '--connection', 'Here', '--model', 'm-1', '--name', 'Four']
    await toolgate([...add, '--identifier', 'four', '--groups', 'Editors'])
    expect(JSON.parse((await toolgate(['group', 'list', '--json'])).stdout)).toMatchObject([
      { name: 'Editors', members: ['b@example.org'], configurations: ['four', 'one'] },
    ])
    const purpose = ['--description', 'They edit', '--json']
    const { id, ...changed } = JSON.parse(
      (await toolgate(['group', 'edit', 'Editors', ...purpose])).stdout,
    )
    expect(changed).toMatchObject({ name: 'Editors', description: 'They edit' })
    const shown = (await toolgate(['group', 'show', 'Editors'])).stdout
    expect(shown).toMatch(
      /^ID +NAME +MEMBERS +CONFIGURATIONS\n.+b@example\.org +four, one\nThey edit\n$/,
    )
    expect((await toolgate(['configuration', 'disallow', ...allow])).code).toBe(0)
    expect((await toolgate(['group', 'remove-member', ...member])).code).toBe(0)
    expect(await db().groupMember.count()).toBe(0)
    expect(await db().configurationGroup.count()).toBe(1)
    const gone = await toolgate(['group', 'delete', 'Editors', '--json'])
    expect(JSON.parse(gone.stdout)).toEqual({ id, name: 'Editors', removed: true })
  })
})

test('toolgate user reset-second-factor wants a reason, and takes every factor away', async () => {
  const person = await addSignedInPerson()
  await addAuthenticatorApp(person.ctx)
  const reset = ['user', 'reset-second-factor', person.email]
  const unsaid = await toolgate(reset)
  expect([unsaid.code, unsaid.stderr]).toEqual([
    2,
    'toolgate: Enter a reason. It is stored in the audit.\n',
  ])
  expect((await toolgate([...reset, '--reason', 'Phone lost'])).code).toBe(0)
  expect(await db().totpApp.count({ where: { userId: person.userId } })).toBe(0)
  expect(await auditOf('user.reset-second-factor')).toMatchObject({ reason: 'Phone lost' })
})

describe('toolgate api-key', () => {
  test('makes a key that works until it is revoked', async () => {
    const args = ['--user', email, '--name', 'CI', '--scopes', 'runs:read,tools:read', '--json']
    const created = await toolgate(['api-key', 'create', ...args])
    const { id, token, expiresAt } = JSON.parse(created.stdout)
    expect(await verifyApiKey(token)).toMatchObject({ actor: { email, role: 'admin' } })
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000)).toBe(90)
    const endless = await toolgate(['api-key', 'create', ...args, '--expires', 'never'])
    expect(JSON.parse(endless.stdout).expiresAt).toBeNull()
    expect((await toolgate(['api-key', 'create', ...args, '--expires', 'soon'])).code).toBe(2)
    const listed = await toolgate(['api-key', 'list'])
    expect(listed.stdout).toContain('runs:read,tools:read')
    expect(listed.stdout).toContain(expiresAt)
    expect(listed.stdout).not.toContain(token)
    const limit = (...limits: string[]) => toolgate(['api-key', 'limit', id, ...limits])
    expect((await limit('--tools', 'get_env', '--tool-groups', 'accounts')).stdout).toBe(
      'The key CI may use the tool get_env, the tool group accounts.\n',
    )
    expect((await limit('--tools', 'get_enf')).stderr).toContain('Did you mean "get_env"?')
    const explained = await toolgate(['tools', 'explain', '--key', id])
    expect(explained.stdout).toMatch(/fetch_logs +Denied \(API key\): The API key CI may not use/)
    const all = await limit('--tools', 'all', '--tool-groups', 'all')
    expect(all.stdout).toBe('The key CI may use all that its owner may use.\n')
    expect((await toolgate(['api-key', 'revoke', id])).code).toBe(0)
    expect(await verifyApiKey(token)).toBeNull()
  })

  test('knows its scopes', async () => {
    const args = ['--user', email, '--name', 'CI', '--scopes', 'everything']
    const finished = await toolgate(['api-key', 'create', ...args])
    expect(finished.code).toBe(2)
    expect(finished.stderr).toContain('A scope is one of')
  })
})
