import { beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { apiKeyOf, apiRoute, ask, askApi } from '@/tests/support/api-client'
import { addPerson } from '@/tests/support/people'

const runsRoute = apiRoute('/runs')
const toolRoute = apiRoute('/tools/{name}')
const toolsRoute = apiRoute('/tools')

let admin: Ctx
let key: string

beforeAll(async () => {
  admin = await addPerson('admin')
  key = await apiKeyOf(admin, 'tools:read', 'tools:write')
})

const address = '/api/v1/tools'

function turn(name: string, json: unknown, as = key): Promise<Response> {
  return ask(toolRoute.PUT, 'PUT', `${address}/${name}`, { key: as, params: { name }, json })
}

describe('/api/v1/tools', () => {
  test('lists every tool with its switch', async () => {
    const response = await ask(toolsRoute.GET, 'GET', address, { key })
    expect(response.status).toBe(200)
    const { tools } = await response.json()
    expect(tools).toContainEqual(
      expect.objectContaining({
        name: 'get_env_raw',
        enabled: false,
        source: 'default',
        raw: true,
      }),
    )
  })

  test('switches a tool, audited, and back to its default', async () => {
    const off = await turn('get_env', { enabled: false, reason: 'Not today' })
    expect(off.status).toBe(200)
    expect(await off.json()).toMatchObject({
      name: 'get_env',
      enabled: false,
      source: 'override',
      override: { reason: 'Not today', changedByLabel: admin.actor.email },
    })
    const params = { name: 'get_env' }
    const reset = await ask(toolRoute.DELETE, 'DELETE', `${address}/get_env`, { key, params })
    expect(await reset.json()).toMatchObject({ enabled: true, source: 'default', override: null })
    const audit = await db().auditEntry.findMany({
      where: { objectId: 'get_env' },
      orderBy: { at: 'asc' },
    })
    expect(audit.map(({ action, actorId, reason }) => ({ action, actorId, reason }))).toEqual([
      { action: 'tool.switch-off', actorId: admin.actor.userId, reason: 'Not today' },
      { action: 'tool.reset', actorId: admin.actor.userId, reason: '' },
    ])
  })

  test('wants a reason for raw tools, a known name, and the right shape', async () => {
    expect((await turn('get_env_raw', { enabled: true })).status).toBe(422)
    expect((await turn('get_env', { enabled: 'yes' })).status).toBe(422)
    for (const name of ['nothing', 'constructor', '__proto__', 'GET_ENV']) {
      expect((await turn(name, { enabled: true })).status).toBe(404)
    }
    const misspelt = await turn('get_evn', { enabled: true })
    expect(JSON.stringify(await misspelt.json())).toContain('Did you mean \\"get_env\\"?')
  })

  test('refuses members and keys without the scope', async () => {
    const member = await apiKeyOf(await addPerson('member'), 'tools:read', 'tools:write')
    expect((await ask(toolsRoute.GET, 'GET', address, { key: member })).status).toBe(403)
    expect((await turn('get_env', { enabled: false }, member)).status).toBe(403)
    const reader = await apiKeyOf(admin, 'tools:read')
    expect((await turn('get_env', { enabled: false }, reader)).status).toBe(403)
  })
})

describe('an address of the API', () => {
  test('refuses other methods and says which there are', async () => {
    const response = await ask(runsRoute.DELETE, 'DELETE', '/api/v1/runs', { key })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({ status: 405, title: 'Method not allowed' })
    const options = await ask(runsRoute.OPTIONS, 'OPTIONS', '/api/v1/runs')
    expect(options.status).toBe(204)
  })

  test('that does not exist is a problem, too', async () => {
    const response = await askApi('GET', '/nothing/here')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      type: 'urn:toolgate:problem:not-found',
      status: 404,
      instance: '/api/v1/nothing/here',
    })
  })
})
