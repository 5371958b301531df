import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '@/lib/doors/api/endpoints'
import { describeEndpoint, Problem } from '@/lib/doors/openapi'
import { ApiScope } from '@/lib/protocol/api-scope'
import { apiKeyOf, askApi } from '../support/api-client'
import { addPerson } from '../support/people'

let key: string
beforeAll(async () => {
  key = await apiKeyOf(await addPerson('admin'), ...ApiScope.options)
})

const nobody = '00000000-0000-7000-8000-000000000000'

test.each(
  endpoints
    .filter(({ answers }) => answers[200] !== 'text/event-stream')
    .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)('the example of %s is answered as its description says', async (_name, endpoint) => {
  const { method, path, answers } = endpoint
  const sent = / -d '(.+)'$/.exec(describeEndpoint(endpoint).example)?.[1]
  const address = path.replace(/\{\w+\}/g, nobody)
  const response = await askApi(method, address, {
    key,
    ...(sent !== undefined && { json: JSON.parse(sent) }),
  })
  const { status } = response
  // A body that cannot be read, and an error of ours, are never what an example comes to.
  expect([200, 201, 202, 204, 404, 409, 422]).toContain(status)
  const documented = answers[status]
  if (documented === null) return expect(await response.text()).toBe('')
  if (typeof documented === 'string') return
  const body = await response.json()
  const schema = documented !== undefined && status < 400 ? documented : Problem
  expect(schema.safeParse(body).error?.issues ?? []).toEqual([])
})
