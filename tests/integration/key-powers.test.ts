import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { programVerbs } from '@/lib/domains/programs/verbs'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { approvalRuleVerbs, governConfiguration } from '@/lib/joined-verbs'
import { type Ctx, systemCtx } from '@/lib/kernel/context'
import { ApiScope } from '@/lib/protocol/api-scope'
import { switchToolGroup } from '@/lib/toolset/tools/tool-verbs'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { browserHeaders } from '@/tests/support/browser-headers'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite } from '@/tests/support/run-site'
import { setEnv } from '@/tests/support/test-process'
import { toolgate } from '@/tests/support/toolgate-process'

// Acts that a key must not do, because they would decide which programs run on this server (SPEC A7).

const system = systemCtx()
const accepted = 'The attacker needs no sandbox.'
const reason = 'It is in the way.'
let admin: Ctx
let key: string
let base: string
let program: string
let workspace: string
let server: string
let rule: string

beforeAll(async () => {
  setEnv({ TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools') })
  admin = await addPerson('admin')
  key = await apiKeyOf(admin, ...ApiScope.options)
})
beforeEach(async () => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'key-powers-')))
  for (const folder of ['open', 'other', 'new']) mkdirSync(path.join(base, folder))
  program = (
    await programVerbs.create(system, {
      name: 'list',
      path: '/bin/ls',
      accepted,
      enabled: false,
    })
  ).id
  workspace = (
    await workspaceVerbs.create(system, {
      name: 'open',
      folder: path.join(base, 'open'),
      enabled: false,
    })
  ).id
  server = (
    await serverVerbs.create(system, {
      name: 'local',
      kind: 'stdio',
      command: 'true',
      enabled: false,
    })
  ).id
  rule = (
    await approvalRuleVerbs.create(system, {
      name: 'Asks',
      toolName: 'exec',
      action: 'ask',
      fourEyes: true,
    })
  ).id
  await switchToolGroup(system, { name: 'workspace', enabled: false, reason })
})
afterEach(async () => {
  await db().program.deleteMany()
  await db().workspace.deleteMany()
  await db().server.deleteMany()
  await db().approvalRule.deleteMany()
  await db().toolOverride.deleteMany()
  await db().toolApproval.deleteMany()
  await db().toolGroupOff.deleteMany()
  rmSync(base, { recursive: true, force: true })
})

/** Returns all that decides what may run, but for the times at which rows were written. */
async function stored(): Promise<string> {
  const tables = await Promise.all([
    db().program.findMany({ orderBy: { id: 'asc' } }),
    db().workspace.findMany({ orderBy: { id: 'asc' } }),
    db().server.findMany({ orderBy: { id: 'asc' } }),
    db().approvalRule.findMany({ orderBy: { id: 'asc' } }),
    db().toolOverride.findMany({ orderBy: { toolName: 'asc' } }),
    db().toolApproval.findMany({ orderBy: { toolName: 'asc' } }),
    db().toolGroupOff.findMany({ orderBy: { toolGroup: 'asc' } }),
  ])
  return JSON.stringify(tables)
}

type Act = [what: string, ask: () => [method: string, path: string, json?: object]]

const acts: Act[] = [
  [
    'a program that needs no sandbox',
    () => ['POST', '/programs', { name: 'vault', path: '/bin/cat', accepted }],
  ],
  ['a program without more', () => ['POST', '/programs', { name: 'vault', path: '/bin/cat' }]],
  ['another path', () => ['PATCH', `/programs/${program}`, { path: '/bin/cat' }]],
  ['another name, past rules', () => ['PATCH', `/programs/${program}`, { name: 'cat' }]],
  ['no sandbox', () => ['PATCH', `/programs/${program}`, { accepted: `${accepted} Again.` }]],
  ['the network', () => ['PATCH', `/programs/${program}`, { network: true }]],
  ['what it reads', () => ['PATCH', `/programs/${program}`, { readable: '/opt' }]],
  ['arguments that come first', () => ['PATCH', `/programs/${program}`, { first: '--color' }]],
  ['any first argument', () => ['PATCH', `/programs/${program}`, { subcommands: null }]],
  ['no refused options', () => ['PATCH', `/programs/${program}`, { refused: null }]],
  ['a program that is on', () => ['PATCH', `/programs/${program}`, { enabled: true }]],
  [
    'a workspace to write in',
    () => ['POST', '/workspaces', { name: 'new', folder: path.join(base, 'new'), writable: true }],
  ],
  [
    'a folder on the server',
    () => [
      'POST',
      '/workspaces',
      { name: 'new', folder: path.join(base, 'made'), createFolder: true },
    ],
  ],
  ['a workspace that is writable', () => ['PATCH', `/workspaces/${workspace}`, { writable: true }]],
  [
    'another folder',
    () => ['PATCH', `/workspaces/${workspace}`, { folder: path.join(base, 'other') }],
  ],
  ['a workspace that is on', () => ['PATCH', `/workspaces/${workspace}`, { enabled: true }]],
  [
    'a server that is a program',
    () => ['POST', '/servers', { name: 'own', kind: 'stdio', command: 'sh -c id' }],
  ],
  ['another command', () => ['PATCH', `/servers/${server}`, { command: 'sh -c id' }]],
  ['another working folder', () => ['PATCH', `/servers/${server}`, { cwd: base }]],
  ['variables', () => ['PATCH', `/servers/${server}`, { variables: 'PATH=/tmp' }]],
  ['such a server that is on', () => ['PATCH', `/servers/${server}`, { enabled: true }]],
  ['the program of such a server that is off', () => ['POST', `/servers/${server}/check`, {}]],
  ['exec', () => ['PUT', '/tools/exec', { enabled: true, reason }]],
  ['a tool that writes files', () => ['PUT', '/tools/write_file', { enabled: true, reason }]],
  ['an extra tool that writes', () => ['PUT', '/tools/append_line', { enabled: true, reason }]],
  ['the group of such tools', () => ['PUT', '/tool-groups/workspace', { enabled: true }]],
  ['exec without approval', () => ['PUT', '/tools/exec/approval', { asks: false, reason }]],
  ['a rule that is off', () => ['PATCH', `/approval-rules/${rule}`, { enabled: false }]],
  ['a rule that only notes', () => ['PATCH', `/approval-rules/${rule}`, { action: 'observe' }]],
  ['a rule that asks once', () => ['PATCH', `/approval-rules/${rule}`, { action: 'ask-once' }]],
  ['a rule without four eyes', () => ['PATCH', `/approval-rules/${rule}`, { fourEyes: false }]],
  [
    'a rule about another tool',
    () => ['PATCH', `/approval-rules/${rule}`, { toolName: 'get_env' }],
  ],
  [
    'a rule with a condition',
    () => [
      'PATCH',
      `/approval-rules/${rule}`,
      { conditions: [{ path: '$.program', operator: 'equals', value: 'no such' }] },
    ],
  ],
  ['no rule', () => ['DELETE', `/approval-rules/${rule}`]],
]

describe('no key, whatever its scopes, and no browser without a recent proof brings about', () => {
  test.each(acts)('%s', async (_what, ask) => {
    const before = await stored()
    const [method, address, json] = ask()
    const byKey = await askApi(method, address, { key, json })
    const { detail } = await byKey.json().catch(() => ({ detail: '' }))
    expect([byKey.status, detail]).toEqual([
      403,
      expect.stringMatching(
        /^API keys cannot .* Do it on the console, or in a terminal on the server\.$/,
      ),
    ])
    expect(await stored()).toBe(before)
    expect(existsSync(path.join(base, 'made'))).toBe(false)
    const late = await askApi(method, address, {
      headers: await browserHeaders(admin, { minutes: 16 }),
      json,
    })
    expect([late.status, (await late.json()).type]).toEqual([
      403,
      'urn:toolgate:problem:confirm-identity',
    ])
    expect(await stored()).toBe(before)
    // Some need a sandbox or a folder that this machine may not have, which is asked after the proof.
    const fresh = await askApi(method, address, { headers: await browserHeaders(admin), json })
    expect([200, 201, 204, 422]).toContain(fresh.status)
  })
})

test('with every scope, a key still does what gives nothing more power on the server', async () => {
  const reading = { name: 'new', folder: path.join(base, 'new') }
  const { id: other } = await approvalRuleVerbs.create(system, {
    name: 'Other',
    toolName: 'list_users',
    action: 'ask',
  })
  const requests: [string, string, object?][] = [
    ['PATCH', `/programs/${program}`, { note: 'Unused', seconds: 5, memory: 64, enabled: false }],
    ['POST', '/workspaces', reading],
    ['PATCH', `/workspaces/${workspace}`, { note: 'Unused', writable: false, enabled: false }],
    ['PATCH', `/servers/${server}`, { enabled: false, callSeconds: 5 }],
    ['PUT', '/tools/exec', { enabled: false }],
    ['PUT', '/tools/calculate', { enabled: true }],
    ['PUT', '/tool-groups/workspace', { enabled: false, reason }],
    ['PUT', '/tools/exec/approval', { asks: true }],
    ['PATCH', `/approval-rules/${rule}`, { name: 'Still asks', enabled: true, fourEyes: true }],
    ['PATCH', `/approval-rules/${other}`, { enabled: false }],
    ['DELETE', `/approval-rules/${other}`],
    ['DELETE', `/programs/${program}`],
  ]
  for (const [method, address, json] of requests) {
    const { status } = await askApi(method, address, { key, json })
    expect([method, address, status < 300]).toEqual([method, address, true])
  }
})

test('an admin in a terminal does all of it, as a person with a proof does', async () => {
  const commands = [
    'program enable list',
    'workspace edit open --writable yes',
    'tools enable exec --reason Asked',
    'approval rule delete Asks',
  ]
  for (const command of commands) {
    const { code, stderr } = await toolgate(command.split(' '))
    expect([command, code, stderr]).toEqual([command, 0, ''])
  }
  const inProgram = `workspace edit open --folder ${path.resolve('docs')}`
  expect(await toolgate(inProgram.split(' '))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the program of Toolgate'),
  })
  expect(await db().program.findUnique({ where: { id: program } })).toMatchObject({ enabled: true })
  expect(await db().workspace.findUnique({ where: { id: workspace } })).toMatchObject({
    writable: true,
  })
  expect(await db().approvalRule.count()).toBe(0)
})

test('four eyes, and waiting after untrusted reads, are lifted with a proof alone', async () => {
  const { configuration: id } = await addRunSite('http://127.0.0.1:1')
  const set = (ctx: Ctx, policy: object) => governConfiguration(ctx, { id, reason, ...policy })
  const requireProof = () => {
    throw new Error('late')
  }
  const late = { ...admin, requireProof }
  await set(late, { fourEyes: true, afterUntrusted: 'ask' })
  for (const policy of [{ fourEyes: false }, { afterUntrusted: 'allow' }]) {
    await expect(set(late, policy)).rejects.toThrow('late')
  }
  await set(late, { fourEyes: true, afterUntrusted: 'ask', memoryInPrompt: false, enabled: true })
  await set(late, { afterUntrusted: 'refuse' })
  await expect(set(late, { afterUntrusted: 'ask' })).rejects.toThrow('late')
  await set(admin, { fourEyes: false, afterUntrusted: 'allow' })
})
