import { afterAll, beforeAll, expect, test } from 'vitest'
import { readMonthOfTool } from '@/lib/domains/usage/reads'
import { approvalRuleVerbs } from '@/lib/joined-verbs'
import { ForbiddenError, NotFoundError } from '@/lib/kernel/errors'
import type { Engine } from '@/lib/runs/engine/engine'
import { listToolCalls } from '@/lib/runs/lists/tool-calls'
import { showTool } from '@/lib/toolset/tools/tool-verbs'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { decide, finish, startOne } from '@/tests/support/approval-site'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { toolgate } from '@/tests/support/toolgate-process'

let server: ModelServer
let engine: Engine
let site: RunSite

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
  engine = await startTestEngine()
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

test('the newest calls of a tool stand with their arguments and how they ended', async () => {
  expect(await listToolCalls(site.admin, { name: 'fetch_logs' })).toEqual([])
  const calls = '[[call fetch_logs {"limit":1}]] [[call fetch_logs {"limit":"all"}]]'
  const { runId } = await start(
    site,
    `${calls} [[call list_users]] [[then]] [[call fetch_logs {"limit":3}]] [[then]] [[say: done]]`,
  )
  await collect(site.admin, runId)
  const listed = await listToolCalls(site.admin, { name: 'fetch_logs' })
  const by = site.admin.actor.email
  expect(listed.map(({ argumentsText, outcome }) => [argumentsText, outcome])).toEqual(
    expect.arrayContaining([
      ['{"limit":1}', 'ok'],
      ['{"limit":"all"}', 'invalid-arguments'],
      ['{"limit":3}', 'ok'],
    ]),
  )
  expect(listed).toHaveLength(3)
  expect(listed[0]).toMatchObject({ argumentsText: '{"limit":3}', runId, by })
  expect(await listToolCalls(site.admin, { name: 'fetch_logs', most: 1 })).toEqual([listed[0]])

  expect(await readMonthOfTool(site.admin, 'fetch_logs')).toMatchObject({
    toolName: 'fetch_logs',
    calls: 3,
    ok: 2,
    invalid: 1,
  })
  expect(await readMonthOfTool(site.admin, 'get_env')).toBeNull()
  const shown = await toolgate(['tools', 'show', 'fetch_logs', '--json'])
  expect(JSON.parse(shown.stdout)).toMatchObject({ name: 'fetch_logs', calls: listed })
  const { stdout } = await toolgate(['tools', 'show', 'fetch_logs'])
  expect(stdout).toContain('fetch_logs (system) is on.')
  expect(stdout).toContain('{"limit":"all"}')
})

test('a call that a person edited stands with the arguments that it ran with', async () => {
  const { id } = await approvalRuleVerbs.create(site.admin, {
    name: 'Logs',
    toolName: 'fetch_logs',
  })
  const row = await startOne(site, '[[call fetch_logs {"limit":7}]] [[then]] [[say: done]]')
  const argumentsText = '{"limit":2}'
  await decide(site.admin, row, { type: 'edit', argumentsText, message: '' })
  await finish(site.admin, row.runId)
  await approvalRuleVerbs.remove(site.admin, { id })
  const [newest, before] = await listToolCalls(site.admin, { name: 'fetch_logs' })
  expect(newest).toMatchObject({ runId: row.runId, argumentsText, isEdited: true })
  expect(before).toMatchObject({ argumentsText: '{"limit":3}', isEdited: false })
  const { stdout } = await toolgate(['tools', 'show', 'fetch_logs'])
  expect(stdout).toContain('(edited) {"limit":2}')
})

test('only admins see a tool and its calls, and a tool that does not exist is not found', async () => {
  const member = await addPerson('member')
  await expect(showTool(member, { name: 'fetch_logs' })).rejects.toThrow(ForbiddenError)
  await expect(listToolCalls(member, { name: 'fetch_logs' })).rejects.toThrow(ForbiddenError)
  await expect(showTool(site.admin, { name: 'constructor' })).rejects.toThrow(NotFoundError)
  const key = await apiKeyOf(site.admin, 'tools:read')
  const get = (name: string) =>
    ask(apiRoute('/tools/{name}').GET, 'GET', `/api/v1/tools/${name}`, { key, params: { name } })
  expect(await (await get('fetch_logs')).json()).toMatchObject({
    name: 'fetch_logs',
    enabled: true,
  })
  expect((await get('fetch_log')).status).toBe(404)
})
