import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stateOf } from '@/app/(console)/(admin)/connections/connection-words'
import { filterModels } from '@/app/(console)/(admin)/models/model-filter'
import { filterSkills } from '@/app/(console)/(admin)/skills/skill-filter'
import { ApprovalFilter } from '@/lib/domains/approvals/schemas'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { listConnections } from '@/lib/domains/connections/reads'
import { listHostRequests } from '@/lib/domains/hosts/requests'
import { listModels } from '@/lib/domains/models/reads'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { listSkills } from '@/lib/domains/skills/reads'
import { readAdminOverview } from '@/lib/doors/overview/read-admin-overview'
import { readOwnOverview } from '@/lib/doors/overview/read-own-overview'
import type { Ctx } from '@/lib/kernel/context'
import { ForbiddenError } from '@/lib/kernel/errors'
import { readApprovals } from '@/lib/runs/approvals/list-approvals'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { type ApprovalSite, openApprovalSite, startAndWait } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { statementsOf } from '@/tests/support/statements-of'
import { toolgate } from '@/tests/support/toolgate-process'

/** The most statements that the first page may send. */
const mostStatements = 18

let site: ApprovalSite
let admin: Ctx
let member: Ctx

beforeAll(async () => {
  site = await openApprovalSite()
  admin = site.admin
  member = await addPerson('member')
  await site.addRule()
  await site.startEngine()
  await startAndWait(site, '[[call append_line {"text":"a"}]] [[call append_line {"text":"b"}]]', 2)
  await addSkills()
  await addServers()
  await addConnections()
  await useModels()
  await addBudgets()
  await db().hostRequest.createMany({
    data: ['https://a.example', 'https://b.example'].map((origin) => ({ origin, people: ['x'] })),
  })
})

afterAll(() => site.close())

/** Adds one skill of each state, and one that is changed and missing, which counts as missing. */
async function addSkills(): Promise<void> {
  const all = [
    { enabled: true },
    { enabled: false },
    { pendingVersion: 2 },
    { pendingVersion: 2, enabled: false },
    { orphanedAt: new Date() },
    { orphanedAt: new Date(), pendingVersion: 2 },
    { orphanedAt: new Date(), enabled: false },
  ]
  for (const facts of all) {
    const name = `skill-${randomUUID()}`
    const id = randomUUID()
    await db().skill.create({ data: { id, name, source: 'upload', version: 1, ...facts } })
    await db().skillVersion.create({
      data: {
        skillId: id,
        version: 1,
        frontMatter: { name },
        body: '',
        checksum: 'x',
        bytes: 0,
        createdByLabel: 'x',
      },
    })
  }
}

const definition = { name: 'tool', description: 'A tool.', inputSchema: { type: 'object' } }

async function addServers(): Promise<void> {
  const tool = (name: string, facts: object) => ({
    remoteName: name,
    name: `${name}-${randomUUID()}`,
    seen: {},
    seenHash: 'b',
    seenAt: new Date(),
    ...('acceptedHash' in facts && { accepted: definition }),
    ...facts,
  })
  const kinds = [
    [{}, { acceptedHash: 'a' }, { acceptedHash: 'b' }],
    [{ acceptedHash: 'a', unusable: true }, { unusable: true }],
    [{ goneAt: new Date() }, { acceptedHash: 'b' }],
  ]
  for (const [at, facts] of kinds.entries()) {
    const tools = { create: facts.map((each, nth) => tool(`tool-${nth}`, each)) }
    await db().server.create({
      data: { name: `server-${at}`, kind: 'http', url: 'http://x', createdByLabel: 'x', tools },
    })
  }
}

async function addConnections(): Promise<void> {
  const soon = new Date(Date.now() + 3_600_000)
  const failure = { category: 'auth', scope: '', advice: '' }
  const refusedTest = { outcome: 'unauthorised', message: '', at: new Date(0).toISOString() }
  const ofDeleted = { category: 'not-found', scope: 'gone', advice: '' }
  const all = [
    { health: { create: { failures: 0 } } },
    { health: { create: { failures: 2 } } },
    { health: { create: { failures: 2 } }, failures: { create: failure } },
    { health: { create: { failures: 2 } }, enabled: false },
    { health: { create: { failures: 5, openUntil: soon } } },
    { health: { create: { failures: 5, openUntil: new Date(1_000) } } },
    { health: { create: { failures: 5, openUntil: soon } }, wire: 'demo' as const },
    { failures: { create: failure } },
    { health: { create: { failures: 0 } }, failures: { create: failure } },
    { failures: { create: ofDeleted } },
    { health: { create: { failures: 0 } }, lastTest: refusedTest },
    { failures: { create: failure }, enabled: false },
  ]
  for (const facts of all) {
    const name = `connection-${randomUUID()}`
    const usual = { name, wire: 'openai' as const, trustZone: 'local' as const }
    const { id } = await db().connection.create({ data: { ...usual, ...facts } })
    await addPrices(id)
  }
}

/** Adds a model without a price, one with a price of today, one with an old one, and an old one that a new one replaced. */
async function addPrices(connectionId: string): Promise<void> {
  const old = new Date('2020-01-01T00:00:00Z')
  const price = { input: 1, output: 2, createdByLabel: 'x' }
  const ofOld = { ...price, validFrom: old, createdAt: old }
  const ofToday = { ...price, validFrom: new Date(1_600_000_000_000) }
  const later = { ...ofOld, validFrom: new Date(Date.now() + 86_400_000) }
  for (const prices of [[], [ofToday], [ofOld], [ofOld, ofToday], [ofToday, later]]) {
    const name = randomUUID()
    await db().model.create({
      data: { connectionId, modelId: name, displayName: name, prices: { create: prices } },
    })
  }
}

/** Makes the models of all connections but one fallbacks of the site's configuration, with and without a price. */
async function useModels(): Promise<void> {
  const { id: configurationId } = await db().configuration.findFirstOrThrow({
    where: { identifier: site.configuration },
  })
  const models = await db().model.findMany({
    where: { connection: { name: { startsWith: 'connection-' }, wire: 'openai' } },
  })
  await db().configurationFallback.createMany({
    data: models.map(({ id: modelId }, position) => ({ configurationId, modelId, position })),
  })
}

async function addBudgets(): Promise<void> {
  const budget = (amount: number, more: object = {}) =>
    budgetVerbs.create(admin, {
      scope: 'site',
      window: 'month',
      unit: 'micro-usd',
      amount,
      unpriced: 'count-tokens',
      ...more,
    })
  const spend = async ({ id }: { id: string }, spent: number) => {
    const [{ start } = { start: new Date() }] = await db().$queryRaw<{ start: Date }[]>`
      SELECT date_trunc(b."window"::text, now() AT TIME ZONE 'UTC') AS start FROM budgets b WHERE id = ${id}::uuid`
    await db().budgetCounter.create({ data: { budgetId: id, windowStart: start, spent } })
  }
  await spend(await budget(100_000_000), 80_000_000)
  await spend(await budget(50_000_000), 39_999_999)
  await spend(await budget(10_000_000), 20_000_000)
  await spend(await budget(1_000, { unit: 'requests', window: 'day' }), 900)
  const off = await budget(10)
  await spend(off, 10)
  await budgetVerbs.update(admin, { id: off.id, enabled: false })
}

test('each number is that of its list', async () => {
  const { waiting } = await readAdminOverview(admin, 'UTC')
  const servers = await serverVerbs.list(admin, { review: 'waiting', sort: 'name' })
  const connections = (await listConnections(admin, {})).map(stateOf)
  const skills = await listSkills(admin, {})
  const used = await budgetVerbs.list(admin, { used: '80', sort: '-used' })
  const mine = ApprovalFilter.parse({ who: 'me' })
  const { total } = await readApprovals(admin, mine)
  const states = (state: string) => connections.filter((each) => each === state).length
  expect(waiting).toMatchObject({
    approvals: total,
    definitions: servers.rows.reduce((sum, { toReview }) => sum + toReview, 0),
    servers: servers.rows.length,
    changedSkills: filterSkills(skills, { state: 'changed' }).length,
    missingSkills: filterSkills(skills, { state: 'missing' }).length,
    hosts: (await listHostRequests(admin, {})).length,
    failing: states('failing'),
    paused: states('open'),
    needsAttention: states('trouble'),
    budgets: used.rows.length,
    stalePrices: filterModels(await listModels(admin, {}), { price: 'stale' }).length,
    unpriced: filterModels(await listModels(admin, {}), { price: 'missing' }).length,
  })
  // None of them is 0, or two zeros would agree.
  expect(waiting).toMatchObject({
    approvals: 2,
    definitions: 3,
    servers: 2,
    changedSkills: 2,
    missingSkills: 3,
    hosts: 2,
    failing: 3,
    paused: 1,
    needsAttention: 3,
    budgets: 3,
    stalePrices: 12,
    unpriced: 9,
    hasConfiguration: true,
  })
})

test('an admin is told after a week without a backup', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000)
  const waitingDays = async () => (await readAdminOverview(admin, 'UTC')).waiting.backupDays
  expect(await waitingDays()).toBe(0)
  const where = { id: admin.actor.userId }
  await db().user.update({ where, data: { createdAt: daysAgo(20) } })
  expect(await waitingDays()).toBe(20)
  const { id } = await db().auditEntry.create({
    data: {
      action: 'site.back-up',
      objectType: 'site',
      actorLabel: 'system',
      at: daysAgo(6),
    },
  })
  expect(await waitingDays()).toBe(0)
  await db().auditEntry.update({ where: { id }, data: { at: daysAgo(9) } })
  expect(await waitingDays()).toBe(9)
  await db().auditEntry.delete({ where: { id } })
  await db().user.update({ where, data: { createdAt: new Date() } })
})

test('the lists over HTTP and in the terminal have the same rows', async () => {
  const key = await apiKeyOf(admin, 'approvals:read', 'budgets:read', 'servers:read')
  const { waiting } = await readAdminOverview(admin, 'UTC')
  const read = async (path: string) => (await askApi('GET', path, { key })).json()
  expect(await read('/approvals?who=me')).toMatchObject({ total: waiting.approvals })
  expect(await read('/budgets?used=80')).toMatchObject({ total: waiting.budgets })
  expect(await read('/servers?review=waiting')).toMatchObject({ total: waiting.servers })
  const { stdout } = await toolgate(['approval', 'list', '--mine', '--json'])
  expect(JSON.parse(stdout)).toHaveLength(waiting.approvals)
})

test('calls that another person has to decide do not wait for whoever started the run', async () => {
  const other = await addPerson('admin')
  const where = { identifier: site.configuration }
  await db().configuration.updateMany({ where, data: { fourEyes: true } })
  const mine = ApprovalFilter.parse({ who: 'me' })
  expect(await readApprovals(admin, mine)).toEqual({ approvals: [], total: 0 })
  expect((await readAdminOverview(admin, 'UTC')).waiting.approvals).toBe(0)
  expect((await readApprovals(other, mine)).total).toBe(2)
  expect((await readAdminOverview(other, 'UTC')).waiting.approvals).toBe(2)
  await db().configuration.updateMany({ where, data: { fourEyes: false } })
})

test('only the smallest budget of a month that limits the site stands beside its spend', async () => {
  expect((await readAdminOverview(admin, 'UTC')).month.limitMicroUsd).toBe(10_000_000)
})

test('a run that cost nothing is no expensive one, and one that did not start is no slow one', async () => {
  await db().run.updateMany({ data: { costMicroUsd: 0 } })
  const of = async () => {
    const { dearest, slowest } = await readAdminOverview(admin, 'UTC')
    return [dearest.length, slowest.length]
  }
  const runs = await db().run.count()
  expect(await of()).toEqual([0, runs])
  await db().run.updateMany({ data: { costMicroUsd: 1, notStarted: true } })
  expect(await of()).toEqual([runs, 0])
  await db().run.updateMany({ data: { costMicroUsd: 0, notStarted: false } })
})

test('a first page takes few statements, however much waits', async () => {
  const ofAdmin = await statementsOf(() => readAdminOverview(admin, 'UTC'))
  expect(ofAdmin.length).toBeGreaterThan(4)
  expect(ofAdmin.length).toBeLessThanOrEqual(mostStatements)
  const ofMember = await statementsOf(() => readOwnOverview(member))
  expect(ofMember.length).toBeLessThanOrEqual(mostStatements)
})

test('members see nothing of others, and cannot read the page of admins', async () => {
  await expect(readAdminOverview(member, 'UTC')).rejects.toThrow(ForbiddenError)
  expect(await readOwnOverview(member)).toMatchObject({
    approvals: 0,
    mine: 0,
    newest: [],
    tasks: [],
    canRun: false,
    spend: { calls: 0, costMicroUsd: 0 },
  })
})
