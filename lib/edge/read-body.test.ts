import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { type GuardedRequest, setGuardedRequests } from './guarded-request'
import { readBody, readJsonBody, readPieces } from './read-body'

const post = (body: string) =>
  new Request('http://localhost/api/v1/files?name=x', { method: 'POST', body })

test('a body that the guard kept is read once, in its place', async () => {
  const requests = new AsyncLocalStorage<GuardedRequest>()
  setGuardedRequests(requests)
  const body = [new Uint8Array([104, 101]), new Uint8Array([121])]
  await requests.run({ body }, async () => {
    expect(await readPieces(post(''))).toEqual(body)
    expect((await readBody(post('other'))).toString()).toBe('other')
  })
})

test('the pieces of any other body have buffers of their own', async () => {
  const [piece, ...others] = await readPieces(post('hello'))
  expect(Buffer.from(piece ?? []).toString()).toBe('hello')
  expect(piece?.buffer.byteLength).toBe(5)
  expect(others).toEqual([])
})

const parse = (body: string) =>
  readJsonBody(
    new Request('http://localhost/api/v1/runs', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    }),
  )

test.each([
  ['{"type":"deny","type":"approve"}', 'type'],
  [`{"decision": { "type"${' '.repeat(500)}: "deny",\n"\\u0074ype" : "approve" }}`, 'type'],
  ['[{"a":[{"":1,"":2}]}]', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
])('a name that stands twice in one object is refused: %s', async (body, name) => {
  await expect(parse(body)).rejects.toMatchObject({
    status: 400,
    message: `${JSON.stringify(name)} stands twice in one object. Give each name once.`,
  })
})

test('the same name in several objects, and as a value, is read', async () => {
  const body = '{"a":{"a":"a"},"b":["a","a",{"a":1},{"a":"{\\"a\\":1,\\"a\\":2}"}]}'
  expect(await parse(body)).toEqual(JSON.parse(body))
})
