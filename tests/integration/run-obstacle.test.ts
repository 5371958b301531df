import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import {
  findConfiguration,
  readEditableConfiguration,
  readGovernedConfiguration,
} from '@/lib/domains/configurations/reads'
import { configurationObstacle, listConfigurations } from '@/lib/domains/configurations/usable'
import { updateConfiguration } from '@/lib/domains/configurations/verbs'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { setModelPrice } from '@/lib/domains/models/price-verbs'
import { updateModel } from '@/lib/domains/models/verbs'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import type { Ctx } from '@/lib/kernel/context'
import { unpriced as unpricedModel } from '@/lib/protocol/cost/cost'
import type { Engine } from '@/lib/runs/engine/engine'
import { budgetsLeft, runObstacle } from '@/lib/runs/start/run-obstacle'
import { readPolicyVersion } from '@/lib/runs/start/versioned'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let server: ModelServer
let engine: Engine
let site: RunSite
let member: Ctx
let configuration: string

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt, record: false })
  engine = await startTestEngine()
  site = await addRunSite(server.url)
  configuration = (await findConfiguration(site.admin, site.configuration)).id
  member = await addPerson('member')
  const group = await db().group.create({ data: { name: randomUUID() } })
  await db().groupMember.create({ data: { groupId: group.id, userId: member.actor.userId } })
  await db().configurationGroup.create({
    data: { groupId: group.id, configurationId: configuration },
  })
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

afterEach(() => db().budget.deleteMany())

const obstacle = (ctx: Ctx) => runObstacle(ctx, { configuration, task: null })

test('a run that can work has no obstacle', async () => {
  expect(await obstacle(site.admin)).toBeNull()
  expect(await obstacle(member)).toBeNull()
})

test('a budget of cost that refuses a model without a price says so before the start, with the cure', async () => {
  const where = { model: { configurations: { some: { id: configuration } } } }
  await db().modelPrice.deleteMany({ where })
  expect(await obstacle(member)).toBeNull()
  const amount = 50_000_000
  const budget = { scope: 'site', window: 'month', unit: 'micro-usd', amount } as const
  const { id } = await budgetVerbs.create(site.admin, budget)
  const reason = expect.stringMatching(
    /^Monthly site budget counts cost, and Test model has no price\. An admin can add a price\.$/,
  )
  expect(await obstacle(site.admin)).toMatchObject({
    reason,
    link: { label: 'Add price', href: '/models?price=missing' },
  })
  expect(await obstacle(member)).toEqual({ reason, link: null })
  await budgetVerbs.update(site.admin, { id, amount, unpriced: 'count-tokens' })
  expect(await obstacle(member)).toBeNull()
  await budgetVerbs.update(site.admin, { id, amount, unpriced: 'refuse' })
  const { modelId } = await db().configuration.findUniqueOrThrow({ where: { id: configuration } })
  const prices = { ...unpricedModel, input: 1_000_000, output: 1_000_000 }
  await setModelPrice(site.admin, { id: modelId, prices })
  expect(await obstacle(member)).toBeNull()
})

test('a frozen site says who froze it and why', async () => {
  await freezeSite(site.admin, { reason: 'A leak' })
  expect((await obstacle(member))?.reason).toContain(`${site.admin.actor.email} froze this site`)
  await unfreezeSite(site.admin, {})
  expect(await obstacle(member)).toBeNull()
})

test('admins are told what is switched off, with its page, and members to pick another configuration', async () => {
  const reason = 'For a test'
  const model = await db().configuration.findUniqueOrThrow({
    where: { id: configuration },
    select: { modelId: true, model: { select: { connectionId: true } } },
  })
  const turns = [
    (enabled: boolean) =>
      db().configuration.update({ where: { id: configuration }, data: { enabled } }),
    (enabled: boolean) => updateModel(site.admin, { id: model.modelId, enabled, reason }),
    (enabled: boolean) =>
      updateConnection(site.admin, { id: model.model.connectionId, enabled, reason }),
  ]
  for (const turn of turns) {
    await turn(false)
    expect(await obstacle(site.admin)).toMatchObject({
      reason: expect.stringContaining('switched off'),
      link: { href: `/configurations/${configuration}` },
    })
    expect(await obstacle(member)).toMatchObject({
      reason: expect.stringContaining('Pick another one.'),
      link: null,
    })
    await turn(true)
  }
})

test('extra body fields that Toolgate came to set itself keep it from running until they are removed, and are shown', async () => {
  // As a version stored it that did not know the field yet.
  await db().$executeRaw`
    UPDATE configurations SET parameters = parameters || '{"extraBody": {"models": ["other"], "safe": 1}}'
    WHERE id = ${configuration}::uuid`
  const fault = expect.stringMatching(/contain models, which Toolgate sets itself for .+ remove it/)
  expect(await listConfigurations(site.admin)).toContainEqual(
    expect.objectContaining({ id: configuration, fault }),
  )
  expect(await listConfigurations(member)).toMatchObject([{ id: configuration, fault }])
  expect(await readGovernedConfiguration(site.admin, configuration)).toMatchObject({ fault })
  expect(await obstacle(site.admin)).toMatchObject({
    reason: fault,
    link: { href: `/configurations/${configuration}/edit` },
  })
  expect(await obstacle(member)).toMatchObject({
    reason: expect.stringContaining('until an admin edits it'),
    link: null,
  })
  const closed = await configurationObstacle(db(), site.admin.actor, configuration)
  expect(closed).toEqual({ reason: fault })
  const runs = await db().run.count()
  await expect(start(site, 'Hello?')).rejects.toMatchObject({
    status: 422,
    fields: { configuration: fault },
  })
  expect(await db().run.count()).toBe(runs)

  const { version } = await readEditableConfiguration(site.admin, { id: configuration })
  const options = { extraBody: { safe: 1 } }
  await updateConfiguration(site.admin, { id: configuration, version, options })
  expect(await obstacle(member)).toBeNull()
  const { runId } = await start(site, 'Hello?')
  expect((await collect(site.admin, runId)).at(-1)?.data).toMatchObject({ reason: 'completed' })
})

test('a stale cache of a configuration does not refuse a run', async () => {
  await changeUnheard('{"extraBody": {"models": ["other"]}}')
  await expect(start(site, 'Hello?')).rejects.toMatchObject({ status: 422 })
  const remembered = await engine.policy.version()
  expect(remembered).toBe(await readPolicyVersion(db()))

  await changeUnheard('{}')
  expect(await engine.policy.version()).toBe(remembered)
  const { runId } = await start(site, '[[say: one]]')
  expect((await collect(site.admin, runId)).at(-1)?.data).toMatchObject({ reason: 'completed' })
})

/** Changes the parameters of the configuration as if the engine's notification were still on its way. */
function changeUnheard(parameters: string): Promise<void> {
  return db().$transaction(async (tx) => {
    await tx.$executeRaw`ALTER TABLE configurations DISABLE TRIGGER policy_changed`
    await tx.$executeRaw`
      UPDATE configurations SET parameters = ${parameters}::jsonb WHERE id = ${configuration}::uuid`
    await tx.$executeRaw`ALTER TABLE configurations ENABLE TRIGGER policy_changed`
    await tx.$executeRaw`UPDATE policy_version SET version = version + 1`
  })
}

test('a budget that is used up stops those it counts, and nobody else', async () => {
  const requests = { window: 'month', unit: 'requests', amount: 1 } as const
  const { userId } = site.admin.actor
  await budgetVerbs.create(site.admin, { ...requests, scope: 'user', scopeId: userId })
  expect(await obstacle(site.admin)).toBeNull()
  const { runId } = await start(site, '[[say: one]]')
  await collect(site.admin, runId)
  expect(await obstacle(site.admin)).toMatchObject({
    reason: expect.stringMatching(
      /budget.* used up\. Limit: 1 request, spent: 1 request\. It resets at /,
    ),
    link: { href: '/budgets' },
  })
  expect(await obstacle(member)).toBeNull()
  expect(await budgetsLeft(site.admin, {})).toMatchObject([{ left: 0, amount: 1, isUsedUp: true }])
  expect(await budgetsLeft(member, {})).toEqual([])
})

test('without a configuration, or with a task that is gone, it says so', async () => {
  const nobody = await addPerson('member')
  const none = { configuration: null, task: null }
  expect((await runObstacle(nobody, none))?.reason).toContain('no configuration that you may use')
  expect((await runObstacle(member, none))?.reason).toBe('Pick a configuration.')
  const gone = { configuration, task: '01890000-0000-7000-8000-000000000000' }
  expect((await runObstacle(member, gone))?.reason).toContain('This task')
})
