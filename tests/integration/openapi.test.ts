import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '@/lib/doors/api/endpoints'
import { describeEndpoint, Problem } from '@/lib/doors/openapi'
import { ApiScope } from '@/lib/protocol/api-scope'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { addPerson } from '@/tests/support/people'

let key: string
beforeAll(async () => {
  key = await apiKeyOf(await addPerson('admin'), ...ApiScope.options)
})

const reads = endpoints.filter(({ method }) => method === 'GET')
const queryOf = (endpoint: (typeof endpoints)[number]) =>
  describeEndpoint(endpoint).parameters.filter((each) => each.in === 'query')
const addressOf = (path: string) => path.replace(/\{\w+\}/g, nobody)

test.each(endpoints.map((endpoint) => [endpoint.method, endpoint.path, endpoint] as const))(
  '%s %s refuses a query parameter that it does not have, and names those that it has',
  async (method, path, endpoint) => {
    const known = queryOf(endpoint).map(({ name }) => name)
    const response = await askApi(method, `${addressOf(path)}?sorted=name&x=1&x=2`, { key })
    expect(response.status).toBe(400)
    const body = await response.json()
    expect(body.type).toMatch(/unknown-parameter$/)
    expect(body.detail).toBe(
      `Unknown query parameters: sorted, x. ${known.length > 0 ? `Known: ${known.join(', ')}.` : 'This address has none.'}`,
    )
  },
)

test.each(
  reads.flatMap((endpoint) => queryOf(endpoint).map(({ name }) => [endpoint.path, name] as const)),
)('GET %s knows its query parameter %s', async (path, name) => {
  const response = await askApi('GET', `${addressOf(path)}?${name}=1`, { key })
  expect(response.status).not.toBe(400)
  await response.body?.cancel()
})

test('a query parameter that is given twice is refused', async () => {
  const response = await askApi('GET', '/runs?status=ended&status=running', { key })
  expect(response.status).toBe(400)
  expect((await response.json()).detail).toBe('Given twice: query parameter: status. Give it once.')
})

test('a caller without rights is told that before any other error', async () => {
  expect((await askApi('GET', '/budgets?x=1')).status).toBe(401)
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
