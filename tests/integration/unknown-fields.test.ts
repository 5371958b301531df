import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '@/lib/doors/api/endpoints'
import { ApiScope } from '@/lib/protocol/api-scope'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { addPerson } from '@/tests/support/people'
import { objectsOf } from '@/tests/support/schema-objects'
import { pasteSkill } from '@/tests/support/task-fixture'

const nobody = '00000000-0000-7000-8000-000000000000'

let key: string
beforeAll(async () => {
  const admin = await addPerson('admin')
  key = await apiKeyOf(admin, ...ApiScope.options)
  // The examples name it where they name something that has to exist.
  await pasteSkill(admin, 'text')
})

const withBodies = endpoints.flatMap(({ method, path, takes }) => {
  const { body } = takes()
  return body && typeof body === 'object' ? [{ method, path, body }] : []
})

test('most addresses that change something take a body', () => {
  expect(withBodies.length).toBeGreaterThan(75)
})

const takers: Partial<Record<string, string[]>> = {
  'if-match': ['PATCH /configurations/{id}'],
  'idempotency-key': [
    'POST /runs',
    'POST /runs/{runId}/fork',
    'POST /panels',
    'POST /coordinations',
    'POST /tasks/{task}/run',
    'POST /checks/{id}/run',
    'POST /check-suites/{suite}/run',
  ],
}

test.each(withBodies.map((each) => [`${each.method} ${each.path}`, each] as const))(
  '%s refuses a field that it does not know at each place of its body, and names its path',
  async (_name, { method, path, body }) => {
    const address = path.replace(/\{\w+\}/g, nobody)
    for (const { place, withField } of objectsOf(body)) {
      const response = await askApi(method, address, { key, json: withField('unheardOf') })
      const { errors = {} } = await response.json()
      const field = [...place, 'unheardOf'].join('.')
      expect([place, response.status, errors[field]]).toEqual([
        place,
        422,
        `Unknown field: ${field}.`,
      ])
    }
  },
)

const changes = endpoints.filter(({ method }) => method !== 'GET')
const deletions = changes.filter(({ method }) => method === 'DELETE')

test.each(deletions.map(({ path }) => [path] as const))(
  'DELETE %s refuses a body, in which a reason would be dropped',
  async (path) => {
    const address = path.replace(/\{\w+\}/g, nobody)
    const sent = await askApi('DELETE', address, { key, json: { reason: 'Why.' } })
    expect([sent.status, (await sent.json()).detail]).toEqual([
      400,
      'This address takes no body. Give the fields as query parameters.',
    ])
    const { status } = await askApi('DELETE', address, { key, json: {} })
    expect(status).not.toBe(400)
  },
)

test.each(changes.map(({ method, path }) => [method, path] as const))(
  '%s %s takes no condition that it would not keep',
  async (method, path) => {
    const address = path.replace(/\{\w+\}/g, nobody)
    for (const [name, value] of [
      ['if-match', '"7"'],
      ['if-none-match', '*'],
      ['if-unmodified-since', 'Sat, 28 Nov 2026 00:00:00 GMT'],
      ...(method === 'POST' || method === 'PATCH' ? [['idempotency-key', '7f1c'] as const] : []),
    ] as const) {
      const { status } = await askApi(method, address, {
        key,
        json: {},
        headers: { [name]: value },
      })
      const isTaken = takers[name]?.includes(`${method} ${path}`) ?? false
      expect([name, status === 400]).toEqual([name, !isTaken])
    }
  },
)
