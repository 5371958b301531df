import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { type GuardedRequest, setGuardedRequests } from './guarded-request'
import { readBody, readPieces } from './read-body'

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
