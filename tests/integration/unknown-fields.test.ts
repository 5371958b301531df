import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '@/lib/doors/api/endpoints'
import { ApiScope } from '@/lib/protocol/api-scope'
import { apiKeyOf, askApi } from '../support/api-client'
import { addPerson } from '../support/people'
import { objectsOf } from '../support/schema-objects'
import { pasteSkill } from '../support/task-fixture'

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
