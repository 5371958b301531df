import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { guardedDocuments } from './guarded-documents'

const close: (() => void)[] = []
afterEach(() => {
  for (const each of close.splice(0)) each()
})

/** Starts a server on loopback and returns its address. */
async function started(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close.push(() => void server.close(() => undefined).closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const json = { 'content-type': 'application/json' }
const allowed = guardedDocuments({ privateAllowed: true, timeMs: 500 })

test('a document is read, and its nulls are absent', async () => {
  const url = await started((_request, response) =>
    response.writeHead(200, json).end('{"a":1,"b":null,"c":{"d":null}}'),
  )
  const answer = await allowed(url)
  expect(await answer.json()).toEqual({ a: 1, c: { d: null } })
})

test.each([
  ['http://auth.example.com/token', 'does not start with https'],
  ['ftp://127.0.0.1/', 'does not start with https'],
  ['http://10.0.0.1/', 'does not start with https'],
  ['https://kim:secret@auth.example.com/', 'has a user name or a password in it'],
  ['https://169.254.169.254/latest', 'reserved or a cloud metadata service'],
])('nothing is sent to %s', async (url, words) => {
  await expect(allowed(url)).rejects.toMatchObject({
    name: 'SignInError',
    code: 'blocked',
    message: expect.stringContaining(words),
  })
})

test.each([
  ['https://127.0.0.1/', 'is on this machine'],
  ['https://10.0.0.1/', 'is in a private network'],
  ['http://127.0.0.1/', 'does not start with https'],
])('an address in a private network needs a permission: %s', async (url, words) => {
  const guard = guardedDocuments({ privateAllowed: false })
  await expect(guard(url)).rejects.toMatchObject({
    code: 'blocked',
    message: expect.stringContaining(words),
  })
})

test('a name that leads into a private network is refused when it is connected to', async () => {
  const guard = guardedDocuments({
    privateAllowed: false,
    resolve: (_host, callback) => callback(null, [{ address: '192.168.0.1', family: 4 }]),
  })
  await expect(guard('https://auth.example.com/')).rejects.toMatchObject({
    code: 'blocked',
    message: expect.stringContaining('in a private network'),
  })
})

test('three redirects are followed, each after a look at where it leads', async () => {
  let left = 3
  const url = await started((_request, response) => {
    if (left-- === 0) response.writeHead(200, json).end('{"a":1}')
    else response.writeHead(302, { location: '/next' }).end()
  })
  expect(await (await allowed(url)).json()).toEqual({ a: 1 })
  left = 4
  await expect(allowed(url)).rejects.toMatchObject({ code: 'blocked' })
})

test.each([
  'http://10.0.0.1/',
  'http://example.com/',
  'file:///etc/passwd',
  'https://169.254.169.254/',
])('a redirect to %s is not followed', async (location) => {
  const url = await started((_request, response) => response.writeHead(307, { location }).end())
  await expect(allowed(url)).rejects.toMatchObject({ code: 'blocked' })
})

test('a POST follows no redirect, also not to its own origin', async () => {
  const seen: (string | undefined)[] = []
  const url = await started((request, response) => {
    seen.push(request.url)
    response.writeHead(307, { location: '/other' }).end()
  })
  await expect(allowed(url, { method: 'POST', body: 'code=1' })).rejects.toMatchObject({
    code: 'blocked',
  })
  expect(seen).toEqual(['/'])
})

test('a document of 50 MB is cut off, whatever its length says', async () => {
  let sentBytes = 0
  const url = await started((_request, response) => {
    response.writeHead(200, json)
    const send = () => {
      while (sentBytes < 50_000_000) {
        sentBytes += 65_536
        if (!response.write(' '.repeat(65_536))) return void response.once('drain', send)
      }
      response.end()
    }
    send()
  })
  await expect(allowed(url)).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringContaining('more than 64 KiB'),
  })
  expect(sentBytes).toBeLessThan(20_000_000)
})

test.each([
  ['no head', () => undefined],
  [
    'no end',
    (response: Parameters<RequestListener>[1]) => void response.writeHead(200, json).write('{'),
  ],
])('a server that sends %s is given up', async (_what, begin) => {
  const url = await started((_request, response) => begin(response))
  const guard = guardedDocuments({ privateAllowed: true, timeMs: 150 })
  const before = Date.now()
  await expect(guard(url)).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('did not answer within 1 seconds'),
  })
  expect(Date.now() - before).toBeLessThan(3_000)
})

test('a server that nothing answers for is unreachable', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  await expect(allowed(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'unreachable' })
})

test('a page where a document was expected counts as none; an answer to a POST has to be JSON', async () => {
  const url = await started((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>{"a":1}'),
  )
  expect((await allowed(url)).status).toBe(404)
  await expect(allowed(url, { method: 'POST', body: '' })).rejects.toMatchObject({
    code: 'unreadable',
  })
})

test.each(['[1]', '"a"', '{"a":', 'null'])('%s is no document', async (text) => {
  const url = await started((_request, response) => response.writeHead(200, json).end(text))
  await expect(allowed(url)).rejects.toMatchObject({ code: 'unreadable' })
})
