import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BodyPieces } from '@/lib/edge/guarded-request'
import { AppError } from '@/lib/kernel/errors'
import { receiveBody } from './receive-body'

const options = { maxBytes: 100_000, senderIsKnown: async () => false, graceMs: 10_000 }
let given: Partial<typeof options> = {}
let server: Server
let arrived: IncomingMessage | undefined
let kept: BodyPieces | undefined

beforeAll(async () => {
  server = createServer((incoming, response) => {
    arrived = incoming
    receiveBody(incoming, { ...options, ...given })
      .then(async (pieces) => {
        if (!pieces) return
        kept = pieces
        response.end(JSON.stringify(await everyWayToRead(incoming)))
      })
      .catch((error: unknown) => {
        response.statusCode = error instanceof AppError ? error.status : 500
        response.end(`${error} ${incoming.readableLength}`)
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => server.close())

/** Reads the body in every way that the framework does: it listens for the end, and makes a web request of it. */
async function everyWayToRead(incoming: IncomingMessage): Promise<string> {
  const ended = once(incoming, 'end')
  // Node takes a stream of its own as a body, which its types do not say.
  const init = { method: 'POST', body: incoming, duplex: 'half' } as unknown as RequestInit
  const asWebRequest = new Request('http://localhost', init)
  const body = await asWebRequest.text()
  await ended
  return body
}

/** "pause" = go on once the server has read what was sent so far. */
type Part = string | 'pause'

async function send(
  parts: Part[],
  headers: Record<string, string | number>,
  more: Partial<typeof options> = {},
) {
  given = more
  arrived = undefined
  kept = undefined
  const { port } = server.address() as AddressInfo
  const sent = request({ port, host: '127.0.0.1', method: 'POST', headers })
  sent.flushHeaders()
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  const unread = () => (sent.socket?.bytesWritten ?? 1) - (arrived?.socket.bytesRead ?? 0)
  for (const part of parts) {
    if (part === 'pause') await expect.poll(unread, { interval: 5 }).toBe(0)
    else sent.write(part)
  }
  if (parts.at(-1) !== 'pause') sent.end()
  const [response] = await answered
  const body = await text(response)
  sent.destroy()
  return { status: response.statusCode, body }
}

const whole = (parts: Part[]) => parts.filter((part) => part !== 'pause').join('')

const chunked = { 'transfer-encoding': 'chunked' }
const long = 'x'.repeat(20_000)
const known = { senderIsKnown: async () => true }

test.each<[what: string, parts: Part[], headers: Record<string, string | number>, body: string]>([
  ['in one piece', ['hello'], { 'content-length': 5 }, 'hello'],
  ['in pieces', ['he', 'pause', 'l', 'pause', 'lo'], { 'content-length': 5 }, 'hello'],
  ['in chunks', ['he', 'pause', 'llo'], chunked, 'hello'],
  ['empty', [], chunked, ''],
  ['empty, late', ['pause', ''], chunked, ''],
])('a body that arrives %s is there for whoever reads next', async (_, parts, headers, body) => {
  expect(await send(parts, headers)).toEqual({ status: 200, body: JSON.stringify(body) })
})

test('a body longer than a stranger may send is there when the sender is known', async () => {
  const answer = await send([long, 'pause', long, long], chunked, known)
  expect(answer).toEqual({ status: 200, body: JSON.stringify(long + long + long) })
})

const mebibyte = 1024 * 1024

test.each<[what: string, parts: Part[]]>([
  ['at once', ['0123456789abcdef'.repeat(mebibyte / 4)]],
  ['in odd pieces', ['0', 'pause', '123456789abcdef'.repeat(9), '0'.repeat(3 * mebibyte), 'end']],
])('one that is longer than the framework reads is there in pieces, %s', async (_, parts) => {
  const answer = await send(parts, chunked, { ...known, maxBytes: 5 * mebibyte })
  expect(answer).toEqual({ status: 200, body: JSON.stringify('') })
  expect(Buffer.concat(kept ?? []).equals(Buffer.from(whole(parts)))).toBe(true)
  for (const piece of kept ?? []) {
    expect(piece.length).toBeLessThanOrEqual(mebibyte)
    // It can be moved to another thread, and nothing else goes with it.
    expect(piece.length).toBe(piece.buffer.byteLength)
  }
})

test('one of as much as the framework reads is put back', async () => {
  const longest = 'x'.repeat(mebibyte)
  const answer = await send([longest], chunked, { ...known, maxBytes: 5 * mebibyte })
  expect(answer).toEqual({ status: 200, body: JSON.stringify(longest) })
  expect(kept).toEqual([])
})

test('a stranger is told to sign in, and what was too long is not kept', async () => {
  const { status, body } = await send([long, 'pause', long], chunked)
  expect(status).toBe(401)
  expect(body).toContain('may have at most 16 KiB. 0')
})

test.each([known, {}])('a body over the limit is refused before it ended', async (sender) => {
  const tooMuch = Array.from({ length: 6 }, (): Part => long)
  const { status, body } = await send([...tooMuch, 'pause'], chunked, sender)
  expect(status).toBe(413)
  expect(body).toContain('This is larger than')
})

test.each([{ 'content-length': 5 }, chunked])(
  'a body that does not arrive is refused',
  async (headers) => {
    const { status, body } = await send(['h', 'pause'], headers, { graceMs: 30 })
    expect(status).toBe(408)
    expect(body).toContain('took too long')
  },
)
