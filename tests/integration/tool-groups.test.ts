import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { governConfiguration } from '@/lib/joined-verbs'
import { ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { listToolGroups, listTools, switchToolGroup } from '@/lib/toolset/tools/tool-verbs'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { promised } from '@/tests/support/promised'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { setEnv } from '@/tests/support/test-process'
import { toolgate } from '@/tests/support/toolgate-process'

const groupRoute = apiRoute('/tool-groups/{name}')
const groupsRoute = apiRoute('/tool-groups')

let server: ModelServer
let engine: Engine
let site: RunSite

beforeAll(async () => {
  setEnv({ TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools') })
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
  engine = await startTestEngine()
})

afterEach(() => db().toolGroupOff.deleteMany())

afterAll(async () => {
  await engine.close()
  await server.close()
})

const off = { name: 'system', enabled: false, reason: 'Audit on Friday' }
const on = { name: 'system', enabled: true, reason: '' }

test('a group goes off with a reason and on again; only what changes is audited', async () => {
  const nothing = switchToolGroup(site.admin, { ...off, reason: ' ' })
  await expect(nothing).rejects.toThrow(ValidationError)
  await expect(switchToolGroup(site.admin, { ...off, name: 'constructor' })).rejects.toThrow(
    NotFoundError,
  )
  const member = await addPerson('member')
  await expect(switchToolGroup(member, off)).rejects.toThrow(ForbiddenError)
  await expect(listToolGroups(member, {})).rejects.toThrow(ForbiddenError)

  expect(await switchToolGroup(site.admin, off)).toMatchObject({
    name: 'system',
    enabled: false,
    off: { reason: off.reason, changedByLabel: site.admin.actor.email },
  })
  const ofGroup = (await listTools(site.admin, {})).filter(({ group }) => group === 'system')
  expect(ofGroup.length).toBeGreaterThan(2)
  expect(ofGroup.every(({ groupOff }) => groupOff?.reason === off.reason)).toBe(true)
  expect(await switchToolGroup(site.admin, on)).toMatchObject({ enabled: true, off: null })
  await switchToolGroup(site.admin, on)
  const entries = await db().auditEntry.findMany({
    where: { objectType: 'tool-group' },
    orderBy: { at: 'asc' },
  })
  expect(entries).toMatchObject([
    { action: 'tool-group.switch-off', objectId: 'system', reason: off.reason },
    { action: 'tool-group.switch-on', before: { enabled: false, reason: off.reason } },
  ])
})

test('a call under way stops when its group goes off, and the next one is refused by it', async () => {
  const call = '[[call slow_read {"ms":20000}]]'
  await db().toolOverride.create({
    data: { toolName: 'slow_read', enabled: true, changedByLabel: 'test' },
  })
  const { runId } = await start(site, `${call} [[then]] ${call} [[then]] [[say: done]]`)
  await collect(site.admin, runId, { until: ({ type }) => type === 'call-start' })
  await switchToolGroup(site.admin, { name: 'extra', enabled: false, reason: 'Enough' })
  const offAt = Date.now()
  const state = foldRun(await collect(site.admin, runId))
  const [first, second] = state.rounds.flatMap(({ calls }) => calls)
  const reason = `The whole group "extra" is switched off for this site by ${site.admin.actor.email}: Enough. An admin can switch the group on.`
  expect(first?.state).toMatchObject({ outcome: { type: 'cancelled', reason } })
  expect(first?.state.type === 'ended' && first.state.endedAt - offAt).toBeLessThan(promised(2_000))
  expect(second?.state).toMatchObject({ outcome: { type: 'denied', gate: 'group', reason } })
  expect(state.end?.reason).toBe('completed')
})

test('the API and the command line switch groups, too', async () => {
  const key = await apiKeyOf(site.admin, 'tools:read', 'tools:write')
  const put = (json: unknown) =>
    ask(groupRoute.PUT, 'PUT', '/api/v1/tool-groups/accounts', {
      key,
      params: { name: 'accounts' },
      json,
    })
  expect((await put({ enabled: false })).status).toBe(422)
  expect(await (await put({ enabled: false, reason: 'Audit' })).json()).toMatchObject({
    name: 'accounts',
    enabled: false,
  })
  const { groups } = await (
    await ask(groupsRoute.GET, 'GET', '/api/v1/tool-groups', { key })
  ).json()
  expect(groups).toContainEqual(
    expect.objectContaining({
      name: 'accounts',
      off: expect.objectContaining({ reason: 'Audit' }),
    }),
  )
  const bare = await toolgate(['tools', 'group', 'off', 'system'])
  expect(bare).toMatchObject({ code: 2, stdout: '' })
  const args = ['tools', 'group', 'on', 'accounts', '--reason', 'Over', '--json']
  const switched = await toolgate(args)
  expect(JSON.parse(switched.stdout)).toMatchObject({ name: 'accounts', enabled: true, off: null })
})

test('a configuration keeps a tool group that is gone, and takes on no other that does not exist', async () => {
  const { id } = await db().configuration.findFirstOrThrow({ select: { id: true } })
  await db().configuration.update({ where: { id }, data: { allowedToolGroups: ['gone'] } })
  const allow = (...allowedToolGroups: string[]) =>
    governConfiguration(site.admin, { id, allowedToolGroups })
  await allow('gone', 'system')
  await expect(allow('gone', 'sytem')).rejects.toThrow(
    'There is no tool group "sytem". Did you mean "system"?',
  )
  await allow('system')
  await expect(allow('gone')).rejects.toThrow('There is no tool group "gone".')
  await governConfiguration(site.admin, { id, allowedToolGroups: null })
})
