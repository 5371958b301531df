import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { encode } from 'next-auth/jwt'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  changeAudience,
  changePolicy as changeConfigurationPolicy,
  cloneHere,
  saveChanges,
} from '@/app/(console)/(admin)/configurations/actions'
import { limitTools, removeGroup, removeMember } from '@/app/(console)/(admin)/groups/actions'
import { createObject, updateObject } from '@/app/(console)/(admin)/resource-actions'
import { setToolApproval } from '@/app/(console)/(admin)/tools/actions'
import { changeUser, joinGroup, removeUser } from '@/app/(console)/(admin)/users/actions'
import { sessionCookieName } from '@/lib/auth/session-cookie'
import { addGroupMember, groupVerbs, removeGroupMember } from '@/lib/domains/groups/verbs'
import { whereCanSignIn } from '@/lib/domains/users/admins'
import { updateUser } from '@/lib/domains/users/verbs'
import { actingOrInstallationCtx } from '@/lib/doors/cli/acting-ctx'
import { Prisma } from '@/lib/generated/prisma/client'
import { approvalRuleVerbs, governConfiguration } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { env } from '@/lib/kernel/env'
import { ConflictError, UnconfirmedError } from '@/lib/kernel/errors'
import { confirmationCookie } from '@/lib/protocol/typed-confirmation'
import { runTrial, TrialInput } from '@/lib/runs/replay/try-policy'
import { applySite } from '@/lib/site-file/apply-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { keepingWaysOut } from '@/lib/toolset/policy/keep-ways-out'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { addConfiguration } from '@/tests/support/configuration-fixture'
import { db } from '@/tests/support/fixture-db'
import { browser } from '@/tests/support/next-request'
import { addPerson } from '@/tests/support/people'
import { addSignedInPerson, type Local } from '@/tests/support/second-factor'
import { toolgate } from '@/tests/support/toolgate-process'

let ada: Local
let bob: Local
let configuration = ''
let readers = ''
let open = ''

const confirmed = 'nobody can approve'
const reason = 'Asked for by Kim'

/** Opens the console for Ada, who confirmed that nobody could approve some calls if `typed` says so and `read` is the refusal. */
async function openConsole(typed?: string, read = ''): Promise<void> {
  const secret = env().NEXTAUTH_SECRET
  browser.cookie = await encode({ token: { sid: ada.sessionId }, secret })
  const typedCookie =
    typed === undefined ? '' : `; toolgate-confirm=${confirmationCookie(typed, read)}`
  browser.headers = new Headers({
    origin: 'http://localhost:3000',
    host: 'localhost:3000',
    cookie: `${sessionCookieName()}=${browser.cookie}${typedCookie}`,
  })
}

/** Adds two admins, a configuration that needs a second person, a group that limits to reading, and one that limits nobody. */
beforeEach(async () => {
  await db().approvalRule.deleteMany()
  await db().configuration.updateMany({ data: { fourEyes: false } })
  await db().user.updateMany({ data: { disabledAt: new Date() } })
  ada = await addSignedInPerson('admin')
  bob = await addSignedInPerson('admin')
  configuration = await addConfiguration(ada.ctx)
  await needSecondPerson(true)
  readers = await addGroup(['list_users'])
  open = await addGroup(['list_users', 'send_message'])
  await openConsole()
})

const needSecondPerson = (fourEyes: boolean) =>
  db().configuration.update({ where: { id: configuration }, data: { fourEyes } })
const removeBob = () =>
  db().user.update({ where: { id: bob.userId }, data: { disabledAt: new Date() } })
const putBobInto = (...groups: string[]) =>
  db().groupMember.createMany({
    data: groups.map((groupId) => ({ groupId, userId: bob.userId })),
  })

let serial = 0
async function addGroup(tools: string[]): Promise<string> {
  serial += 1
  const { id } = await groupVerbs.create(ada.ctx, { name: `Group ${serial}` })
  await db().group.update({ where: { id }, data: { limits: { tools, toolGroups: null } } })
  return id
}

const rule = () => ({ name: `Money ${serial}`, toolName: 'list_users', fourEyes: true })

type Result = { ok: boolean; error?: { message: string } }
type Scenario = { given: () => Promise<unknown>; act: () => Promise<Result> }
const nothing = async () => {}
const scenarios: Record<string, Scenario> = {
  'disabling the other admin': {
    given: nothing,
    act: () => changeUser({ userId: bob.userId, disabled: true, reason }),
  },
  'making the other admin a member': {
    given: nothing,
    act: () => changeUser({ userId: bob.userId, role: 'member', reason }),
  },
  'deleting the other admin': {
    given: nothing,
    act: () => removeUser({ userId: bob.userId, reason }),
  },
  'putting the other admin into a group that limits to reading': {
    given: nothing,
    act: () => joinGroup({ userId: bob.userId, groupId: readers }),
  },
  'taking the other admin out of the group that allows writing': {
    given: () => putBobInto(readers, open),
    act: () => removeMember({ userId: bob.userId, groupId: open, reason }),
  },
  'deleting the group that allows the other admin to write': {
    given: () => putBobInto(readers, open),
    act: () => removeGroup({ id: open, reason }),
  },
  'limiting the group of the other admin': {
    given: () => putBobInto(open),
    act: () => limitTools({ id: open, tools: ['list_users'], reason }),
  },
  'letting the group of somebody else use a configuration that requires a second person': {
    given: async () => {
      await db().user.update({ where: { id: bob.userId }, data: { role: 'member' } })
      await db().group.update({ where: { id: open }, data: { limits: Prisma.DbNull } })
      await putBobInto(open)
      await db().groupMember.create({ data: { groupId: readers, userId: ada.userId } })
    },
    act: () => changeAudience({ configurationId: configuration, groupId: open, allowed: true }),
  },
  'copying a configuration that requires a second person': {
    given: removeBob,
    act: () => cloneHere({ id: configuration, identifier: `copy-${serial}`, name: 'Copy' }),
  },
  'requiring a second person for a configuration': {
    given: () => Promise.all([needSecondPerson(false), removeBob()]),
    act: () => changeConfigurationPolicy({ id: configuration, fourEyes: true }),
  },
  'allowing more tools in a configuration that requires a second person': {
    given: async () => {
      const data = { allowedToolGroups: [], allowedTools: ['list_users'], version: 1 }
      await db().configuration.update({ where: { id: configuration }, data })
      await removeBob()
    },
    act: () => saveChanges({ id: configuration, version: 1, allowedTools: ['send_message'] }),
  },
  'a rule that requires a second person': {
    given: () => Promise.all([needSecondPerson(false), removeBob()]),
    act: () => createObject('approval-rule', rule()),
  },
  'switching such a rule on': {
    given: async () => {
      await Promise.all([needSecondPerson(false), removeBob()])
      await approvalRuleVerbs.create(ada.ctx, { ...rule(), enabled: false })
    },
    act: async () => {
      const { id } = await db().approvalRule.findFirstOrThrow()
      return updateObject('approval-rule', { id, enabled: true })
    },
  },
  'letting calls of a tool wait': {
    given: removeBob,
    act: () => setToolApproval({ name: 'list_users', asks: true }),
  },
}

/** Returns the rows that the changes of this file write. */
const stored = async () => ({
  users: await db().user.findMany({ orderBy: { id: 'asc' } }),
  members: await db().groupMember.findMany({ orderBy: [{ groupId: 'asc' }, { userId: 'asc' }] }),
  groups: await db().group.findMany({ orderBy: { id: 'asc' } }),
  configurations: await db().configuration.findMany({ orderBy: { id: 'asc' } }),
  rules: await db().approvalRule.findMany(),
  approvals: await db().toolApproval.findMany(),
  audit: await db().auditEntry.count(),
})

describe.each(Object.entries(scenarios))('%s', (_, { given, act }) => {
  test('is refused and changes nothing until somebody types that nobody can approve', async () => {
    await db().toolApproval.deleteMany()
    await given()
    const before = await stored()
    const refused = { ok: false, error: { code: 'unconfirmed', message: expect.any(String) } }
    const result = await act()
    expect(result).toEqual(refused)
    const message = result.error?.message ?? ''
    for (const [typed, read] of [
      ['yes', message],
      [confirmed, `${message} More.`],
    ] as const) {
      await openConsole(typed, read)
      expect(await act()).toEqual(refused)
    }
    expect(await stored()).toEqual(before)
    await openConsole(confirmed, message)
    expect(await act()).toMatchObject({ ok: true })
    const { after } = await db().auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' } })
    expect(after).toMatchObject({
      confirmed: [
        expect.stringMatching(
          /^After this change, nobody can approve calls of .*local-\d+@example\.org/,
        ),
      ],
    })
  })
})

test('nothing is asked while somebody else can approve', async () => {
  await addPerson('admin')
  expect(await changeUser({ userId: bob.userId, disabled: true, reason })).toMatchObject({
    ok: true,
  })
})

test('the last admin stays, whatever is typed', async () => {
  await removeBob()
  await openConsole(confirmed)
  const last = await changeUser({ userId: ada.userId, role: 'member', reason })
  expect(last).toMatchObject({
    error: { code: 'conflict', message: expect.stringContaining('This is the last admin') },
  })
})

test('a request over HTTP confirms it with a header', async () => {
  await removeBob()
  const key = await apiKeyOf(ada.ctx, 'approval-rules:write')
  const refused = await askApi('POST', '/approval-rules', { key, json: rule() })
  expect([refused.status, await refused.clone().json()]).toEqual([
    409,
    expect.objectContaining({
      type: 'urn:toolgate:problem:unconfirmed',
      detail: expect.stringContaining('After this change, nobody can approve calls of list_users'),
    }),
  ])
  const { detail } = await refused.json()
  const cookie = `toolgate-confirm=${confirmationCookie(confirmed, detail)}`
  const byCookie = await askApi('POST', '/approval-rules', {
    key,
    json: rule(),
    headers: { cookie },
  })
  expect(byCookie.status).toBe(409)
  const headers = { 'toolgate-confirm': confirmed }
  const done = await askApi('POST', '/approval-rules', { key, json: rule(), headers })
  expect(done.status).toBe(201)
})

test('a command confirms it with an option, and a file is refused before any of it is applied', async () => {
  await removeBob()
  const named = ['approval', 'rule', 'add', 'Money', '--tool', 'list_users', '--four-eyes', 'yes']
  const refused = await toolgate([...named, '--as', ada.email])
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('add --confirm "nobody can approve"'),
  ])
  const added = await toolgate([...named, '--as', ada.email, '--confirm', confirmed])
  expect([added.code, added.stderr]).toEqual([0, ''])

  const folder = await mkdtemp(join(tmpdir(), 'toolgate-ways-out-'))
  const file = join(folder, 'change.yaml')
  const text = `toolgate: 2
tools: [{ name: list_users, enabled: false }]
approvalRules: [{ name: Groups, toolName: list_groups, fourEyes: true }]
`
  await writeFile(file, text)
  const plan = await toolgate(['apply', '-f', file, '--plan'])
  expect(plan.stdout).toContain('After this change, nobody can approve calls of list_groups')
  const stopped = await toolgate(['apply', '-f', file, '--yes'])
  expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining('--confirm')])
  expect(await db().toolOverride.count()).toBe(0)
  const applied = await toolgate(['apply', '-f', file, '--yes', '--confirm', confirmed])
  expect([applied.code, applied.stderr]).toEqual([0, ''])
  await db().toolOverride.deleteMany()
})

test('a file of more entries than a draft over HTTP has is refused before any of it is applied', async () => {
  await removeBob()
  const rules = Array.from(
    { length: 51 },
    (_, place) => `  - { name: Rule ${place}, toolName: list_users, fourEyes: ${place === 50} }`,
  )
  const text = `toolgate: 2\napprovalRules:\n${rules.join('\n')}\n`
  const by = { ...ada.ctx, ...keepingWaysOut({ nobodyLeft: null, brokenCases: null }) }
  const apply = applySite(by, parseSiteFile(text), { reason })
  await expect(apply).rejects.toThrow(UnconfirmedError)
  expect(await db().approvalRule.count()).toBe(0)

  const file = join(await mkdtemp(join(tmpdir(), 'toolgate-ways-out-')), 'change.yaml')
  await writeFile(file, text)
  const plan = await toolgate(['apply', '-f', file, '--plan'])
  expect([plan.code, plan.stdout]).toEqual([2, expect.stringContaining('calls of list_users')])
})

test('a command checks this also before there is an admin', async () => {
  await db().user.updateMany({ data: { disabledAt: new Date() } })
  const { via, waysOut } = await actingOrInstallationCtx(undefined)
  expect([via, waysOut]).toEqual(['cli', expect.objectContaining({ keep: expect.any(Function) })])
})

test('a trial names what nobody could approve, also where no run is found', async () => {
  const draft = { people: [{ id: bob.userId, joins: [readers] }] }
  const trial = await runTrial(ada.ctx, TrialInput.parse({ draft, configuration }))
  expect(trial).toMatchObject({
    found: 0,
    waysOut: [expect.stringContaining(`in runs of ${ada.email}: the configuration`)],
  })
  const same = { people: [{ id: bob.userId, joins: [open] }] }
  expect(await runTrial(ada.ctx, TrialInput.parse({ draft: same, configuration }))).toMatchObject({
    waysOut: [expect.not.stringContaining('send_message')],
  })
})

/** Changes of who approves and who is an admin, each with its way back. */
const changes = {
  'four eyes on': (by: Ctx) => govern(by, true),
  'four eyes off': (by: Ctx) => govern(by, false),
  'the other admin limited': (by: Ctx) => setMember(by, readers, true),
  'the other admin unlimited': (by: Ctx) => setMember(by, readers, false),
  'the other admin a member': (by: Ctx) => updateUser(by, { userId: bob.userId, role: 'member' }),
  'the other admin an admin': (by: Ctx) => updateUser(by, { userId: bob.userId, role: 'admin' }),
  'the other admin disabled': (by: Ctx) => updateUser(by, { userId: bob.userId, disabled: true }),
  'the other admin enabled': (by: Ctx) => updateUser(by, { userId: bob.userId, disabled: false }),
  'oneself a member': (by: Ctx) => updateUser(by, { userId: ada.userId, role: 'member' }),
} satisfies Record<string, (by: Ctx) => Promise<unknown>>
type Change = keyof typeof changes
const wayBack: Record<Change, Change | null> = {
  'four eyes on': 'four eyes off',
  'four eyes off': 'four eyes on',
  'the other admin limited': 'the other admin unlimited',
  'the other admin unlimited': 'the other admin limited',
  'the other admin a member': 'the other admin an admin',
  'the other admin an admin': 'the other admin a member',
  'the other admin disabled': 'the other admin enabled',
  'the other admin enabled': 'the other admin disabled',
  'oneself a member': null,
}

const govern = (by: Ctx, fourEyes: boolean) =>
  governConfiguration(by, { id: configuration, fourEyes, reason })
const setMember = (by: Ctx, groupId: string, isMember: boolean) =>
  (isMember ? addGroupMember : removeGroupMember)(by, { groupId, userId: bob.userId })

test('after any change that was stored without a confirmation, an admin who can sign in can undo it', async () => {
  const by = { ...ada.ctx, ...keepingWaysOut({ nobodyLeft: null, brokenCases: null }) }
  const isThere = { role: 'admin', deletedAt: null, ...whereCanSignIn() } as const
  const names = Object.keys(changes) as Change[]
  const picked = fc.sample(fc.constantFrom(...names), { seed: 65, numRuns: 60 })
  let stored = 0
  let refused = 0
  for (const name of picked) {
    const isStored = await changes[name](by).then(
      () => true,
      (error: unknown) => {
        if (error instanceof UnconfirmedError || error instanceof ConflictError) return false
        throw error
      },
    )
    if (!isStored) refused += 1
    expect(await db().user.count({ where: isThere })).toBeGreaterThan(0)
    const back = wayBack[name]
    if (!isStored || back === null || stored++ % 2 === 0) continue
    await changes[back]({
      ...ada.ctx,
      ...keepingWaysOut({ nobodyLeft: { typed: confirmed }, brokenCases: null }),
    })
  }
  expect(stored).toBeGreaterThan(20)
  expect(refused).toBeGreaterThan(5)
})
