import { expect, test } from 'vitest'
import type { Endpoint, Method } from './endpoint'
import { router } from './router'

/** Answers with what it was given. */
function echo(method: Method, path: `/${string}`): Endpoint {
  return {
    method,
    path,
    role: 'member',
    scope: null,
    summary: '',
    answers: {},
    takes: () => ({}),
    handle: async (_request, { params }) => Response.json({ path, params: await params }),
  }
}

const answer = router('/api/v1', [
  echo('GET', '/things'),
  echo('GET', '/things/{id}'),
  echo('DELETE', '/things/{id}'),
  echo('GET', '/things/all'),
  echo('PUT', '/things/{id}/parts/{part}'),
])
const ask = (method: string, path: string) =>
  answer(new Request(`http://localhost:3000/api/v1${path}`, { method }))

test.each([
  ['GET', '/things', '/things', {}],
  ['GET', '/things/all', '/things/all', {}],
  ['GET', '/things/Z%C3%BCrich%2Fa', '/things/{id}', { id: 'Zürich/a' }],
  ['PUT', '/things/1/parts/2?x=1', '/things/{id}/parts/{part}', { id: '1', part: '2' }],
])('%s %s is answered by %s', async (method, input, path, params) => {
  expect(await (await ask(method, input)).json()).toEqual({ path, params })
})

test.each(['/', '/nothing', '/things/1/parts', '/things/%E0%A4%A', '/things/', '/things//parts/2'])(
  '%s is no address',
  async (path) => {
    const response = await ask('GET', path)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json',
    ])
  },
)

test('a method that an address does not have is refused with those that it has', async () => {
  const refused = await ask('POST', '/things/1')
  expect([refused.status, refused.headers.get('allow')]).toEqual([
    405,
    'GET, DELETE, HEAD, OPTIONS',
  ])
  expect((await ask('HEAD', '/things/1')).status).toBe(200)
  const options = await ask('OPTIONS', '/things/1/parts/2')
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'PUT, OPTIONS'])
})

test('an address that is served twice is an error at once', () => {
  expect(() => router('', [echo('GET', '/a'), echo('GET', '/a')])).toThrow('served twice')
})
