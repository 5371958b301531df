import type { ServerResponse } from 'node:http'
import { Agent } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { closeAll, serve } from '@/lib/engines/providers/__fixtures__/ask-provider'
import { AnswerBody, late } from './answer-body'

const agent = new Agent()
afterEach(closeAll)

function get(origin: string, signal: AbortSignal | null = null): AnswerBody {
  const body = new AnswerBody(signal)
  agent.dispatch({ origin, path: '/', method: 'GET' }, body)
  return body
}

const textOf = async (body: AnswerBody) => Buffer.from((await body.next()) as Uint8Array).toString()

/** Serves one answer that the test writes, and counts the connections. */
async function written(write: (response: ServerResponse) => void) {
  const sockets = new Set<unknown>()
  const origin = await serve((request, response) => {
    sockets.add(request.socket)
    write(response)
  })
  return { origin, connections: () => sockets.size }
}

test('gives what came before a connection broke, and then the failure', async () => {
  const { origin } = await written((response) => {
    response.write('half', () => setTimeout(() => response.destroy(), 20))
  })
  const body = get(origin)
  expect((await body.head).status).toBe(200)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await textOf(body)).toBe('half')
  await expect(body.next()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
})

test('says that nothing came in time, and goes on reading', async () => {
  let goOn = () => {}
  const { origin } = await written((response) => {
    response.write('a')
    goOn = () => response.end('b')
  })
  const body = get(origin)
  expect(await textOf(body)).toBe('a')
  expect(await body.next(20)).toBe(late)
  goOn()
  expect(await textOf(body)).toBe('b')
  expect(await body.next()).toBeNull()
})

test('holds back a server that sends faster than its answer is read', async () => {
  const piece = Buffer.alloc(64 * 1024)
  const most = 400
  let sent = 0
  const { origin } = await written((response) => {
    const send = (): void => {
      if (sent++ === most) response.end()
      else response.write(piece, send)
    }
    send()
  })
  const body = get(origin)
  await body.head
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(sent).toBeLessThan(most)
  let bytes = 0
  for await (const part of body) bytes += part.length
  expect(bytes).toBe(most * piece.length)
})

test('an abort ends the wait for a head, for a body, and for a connection that does not open', async () => {
  const silent = await written(() => undefined)
  const begun = await written((response) => response.write('a'))
  const unconnected = new Agent({ connect: () => undefined })

  const stop = new AbortController()
  const waiting = get(silent.origin, stop.signal)
  const reading = get(begun.origin, stop.signal)
  const opening = new AnswerBody(stop.signal)
  unconnected.dispatch({ origin: silent.origin, path: '/', method: 'GET' }, opening)
  await reading.head
  expect(await textOf(reading)).toBe('a')
  const ends = [waiting.head, reading.next(), opening.head].map((end) =>
    expect(end).rejects.toMatchObject({ name: 'AbortError' }),
  )
  stop.abort()
  await Promise.all(ends)
  const after = get(silent.origin, stop.signal)
  await expect(after.head).rejects.toMatchObject({ name: 'AbortError' })
})

test('keeps a connection whose rest is dropped, and gives up one that does not end', async () => {
  let goOn = () => {}
  const quick = await written((response) => {
    response.write('answer')
    goOn = () => response.end('rest')
  })
  const slow = await written((response) => {
    response.write('answer')
    goOn = () => {}
  })
  for (const [server, limitMs, connections] of [
    [quick, 60_000, 1],
    [slow, 20, 2],
  ] as const) {
    const running = () => agent.stats[server.origin]?.running ?? 0
    for (let request = 0; request < 2; request++) {
      const body = get(server.origin)
      expect(await textOf(body)).toBe('answer')
      expect(running()).toBe(1)
      body.discard(limitMs)
      goOn()
      await expect.poll(running).toBe(0)
    }
    expect(server.connections()).toBe(connections)
  }
})
