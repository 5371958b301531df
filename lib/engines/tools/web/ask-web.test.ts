import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { memoryWeb } from '@/tests/support/memory-web'
import { inPieces, redirects, type Served, sends, startWebServer } from '@/tests/support/web-server'
import { webBudget } from '../tool-resources'
import { headWeb, mostBytes, readWeb } from './ask-web'

const mebibyte = 1024 * 1024
const text = 'Grüße. '.repeat(1_000)
const encoded = (encoding: string, content: Uint8Array) =>
  sends(content, { 'content-encoding': encoding })

const endless: Served = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' })
  const piece = Buffer.alloc(64 * 1024, 'a')
  const more = () => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', more)
  more()
}
const trickling: Served = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' })
  const timer = setInterval(() => response.write('a'), 5)
  response.on('close', () => clearInterval(timer))
}
/** 200 MiB in 200 KB. */
const bomb = () =>
  brotliCompressSync(Buffer.alloc(200 * mebibyte), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
  })

const pages: Record<string, Served> = {
  '/plain': sends(text),
  '/gzip': encoded('gzip', gzipSync(text)),
  '/x-gzip': encoded('x-gzip', gzipSync(text)),
  '/deflate': encoded('deflate', deflateSync(text)),
  '/raw-deflate': encoded('deflate', deflateRawSync(text)),
  '/br': encoded('br', brotliCompressSync(text)),
  '/identity': encoded('identity', Buffer.from(text)),
  '/not-gzip': encoded('gzip', Buffer.from(text)),
  '/cut-gzip': encoded('gzip', gzipSync(text).subarray(0, 30)),
  '/unknown': encoded('snappy', Buffer.from(text)),
  '/twice': encoded('gzip, gzip', gzipSync(gzipSync(text))),
  '/bomb': encoded('br', bomb()),
  '/ten': sends(Buffer.alloc(mostBytes)),
  '/more-than-ten': sends(Buffer.alloc(mostBytes + 1)),
  '/nine': sends(Buffer.alloc(9 * mebibyte)),
  '/nine-in-pieces': inPieces(Buffer.alloc(9 * mebibyte)),
  '/says-more-than-ten': (_request, response) => {
    response.writeHead(200, { 'content-length': mostBytes + 1 }).flushHeaders()
  },
  '/endless': endless,
  '/trickling': trickling,
  '/silent': () => undefined,
  '/cut': (_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('a')
    setImmediate(() => response.destroy())
  },
  '/many-headers': (request) => {
    request.socket.write('HTTP/1.1 200 OK\r\n')
    for (let index = 0; index < 100; index++) {
      request.socket.write(
        Array.from({ length: 1_000 }, (_, at) => `x-${index}-${at}: a\r\n`).join(''),
      )
    }
    request.socket.on('error', () => undefined)
  },
  '/no-http': ({ socket }) => socket.end('SSH-2.0-OpenSSH\r\n\r\n'),
  '/early-hints': (_request, response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' })
    response.end(text)
  },
  '/empty': (_request, response) => response.writeHead(204).end(),
  '/missing': (_request, response) => response.writeHead(404).end('Nothing.'),
  '/broken': (_request, response) => response.writeHead(503).end('Broken.'),
  '/no-head': (request, response) => {
    response.writeHead(request.method === 'HEAD' ? 405 : 200).end(text)
  },
  '/to-plain': redirects('plain#part'),
  '/to-file': redirects('file:///etc/passwd'),
  '/to-person': redirects('http://ada:secret@127.0.0.1/'),
  '/to-other': redirects('http://other.example/secret'),
  '/to-nowhere': redirects('http://:99999'),
  '/to-nothing': (_request, response) => response.writeHead(302).end('No location.'),
  '/to-two': (_request, response) =>
    response.writeHead(302, ['location', '/plain', 'location', '/gzip']).end(),
  '/round': redirects('/round'),
}
for (let index = 1; index <= 6; index++)
  pages[`/hop-${index}`] = redirects(
    index === 1 ? '/plain' : `/hop-${index - 1}`,
    [301, 302, 303, 307, 308][index % 5],
  )

let server: Awaited<ReturnType<typeof startWebServer>>
beforeAll(async () => {
  server = await startWebServer(pages)
})
afterAll(() => server.close())

const asker = (
  web = memoryWeb([server.origin]),
  more: { longestMs?: number; signal?: AbortSignal } = {},
) => ({
  runId: 'run',
  person: 'ada',
  web,
  signal: new AbortController().signal,
  ...more,
})
const read = (path: string, given = asker()) => readWeb(server.origin + path, given)
const code = (path: string, given = asker()) =>
  read(path, given).then(
    ({ status }) => `status ${status}`,
    (error) => error.code,
  )

describe('content arrives as it was, whatever its encoding', () => {
  it.each([
    '/plain',
    '/gzip',
    '/x-gzip',
    '/deflate',
    '/raw-deflate',
    '/br',
    '/identity',
    '/early-hints',
  ])('%s', async (path) => {
    const answer = await read(path)
    expect(new TextDecoder().decode(answer.content)).toBe(text)
    expect(answer).toMatchObject({ status: 200, address: server.origin + path })
  })

  it('says who asks, and sends nothing of a person', async () => {
    await read('/plain?a=1#part')
    const { headers, url } = server.requests.at(-1) ?? { headers: {}, url: '' }
    expect(url).toBe('/plain?a=1')
    expect(headers['user-agent']).toBe('Toolgate')
    expect(Object.keys(headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
  })
})

describe('what a host sends is refused by what it is', () => {
  it.each([
    ['/not-gzip', 'unreadable'],
    ['/cut-gzip', 'unreadable'],
    ['/unknown', 'unreadable'],
    ['/twice', 'unreadable'],
    ['/ten', 'status 200'],
    ['/more-than-ten', 'too-large'],
    ['/says-more-than-ten', 'too-large'],
    ['/bomb', 'too-large'],
    ['/endless', 'too-large'],
    ['/many-headers', 'too-large'],
    ['/empty', 'status 204'],
    ['/missing', 'status 404'],
    ['/to-nothing', 'status 302'],
    ['/to-two', 'status 302'],
    ['/to-plain', 'status 200'],
    ['/hop-5', 'status 200'],
    ['/hop-6', 'redirected'],
    ['/round', 'redirected'],
    ['/to-file', 'redirected'],
    ['/to-person', 'redirected'],
    ['/to-nowhere', 'redirected'],
    ['/to-other', 'redirected'],
  ])('%s: %s', async (path, expected) => {
    expect(await code(path)).toBe(expected)
  })

  it.each(['/silent', '/trickling'])('%s ends with the time', async (path) => {
    // A host of its own, which the others do not share failures with.
    const alone = await startWebServer(pages)
    const given = asker(memoryWeb([alone.origin]), { longestMs: 60 })
    await expect(readWeb(alone.origin + path, given)).rejects.toMatchObject({
      code: 'too-slow',
      message: 'The host took longer than 60 ms. Try another address.',
    })
    await alone.close()
  })

  it.each([
    ['/more-than-ten', undefined, 'The answer is larger than 10 MiB. Ask for another address.'],
    ['/nine', 2 * mebibyte, 'The answer is larger than 2 MiB. Ask for another address.'],
    ['/nine-in-pieces', 64 * 1024, 'The answer is larger than 64 KiB. Ask for another address.'],
    [
      '/many-headers',
      undefined,
      'The headers of the answer are larger than 32 KiB. Ask for another address.',
    ],
  ])('%s, read up to %s bytes, is refused with its limit', async (path, most, message) => {
    const reading = readWeb(server.origin + path, asker(), most === undefined ? {} : { most })
    await expect(reading).rejects.toThrow(message)
  })

  it.each(['/cut', '/no-http'])('%s is a host that broke off', async (path) => {
    const alone = await startWebServer(pages)
    const given = asker(memoryWeb([alone.origin]))
    await expect(readWeb(alone.origin + path, given)).rejects.toMatchObject({ code: 'unreachable' })
    await alone.close()
  })

  it('a redirect leads only to what is listed, and names nothing', async () => {
    await expect(read('/to-other')).rejects.toThrow(/^(?!.*other\.example).*not listed/)
    expect(await read('/to-plain')).toMatchObject({ address: `${server.origin}/plain` })
  })

  it('a stopped run ends the request with its own reason', async () => {
    const stop = new AbortController()
    const reading = read('/silent', asker(undefined, { signal: stop.signal }))
    stop.abort(new Error('The run was stopped.'))
    await expect(reading).rejects.toThrow('The run was stopped.')
  })
})

describe('only what is listed is asked', () => {
  it.each([
    ['http://127.0.0.1:1/', 'host-not-listed'],
    ['http://localhost/', 'host-not-listed'],
    ['ftp://example.org/', 'invalid-address'],
    ['http://ada:secret@127.0.0.1/', 'invalid-address'],
    ['plain', 'invalid-address'],
  ])('%s: %s', async (address, expected) => {
    const before = server.requests.length
    await expect(readWeb(address, asker())).rejects.toMatchObject({ code: expected })
    expect(server.requests).toHaveLength(before)
  })

  it('a private address is blocked unless its host allows it, and a metadata service always', async () => {
    const web = memoryWeb([server.origin, 'http://169.254.169.254'])
    await expect(readWeb('http://169.254.169.254/', asker(web))).rejects.toMatchObject({
      code: 'blocked',
    })
    const blocking = { ...web, findHost: async () => ({ privateAddressAllowed: false }) }
    const before = server.requests.length
    await expect(readWeb(`${server.origin}/plain`, asker(blocking))).rejects.toMatchObject({
      code: 'blocked',
    })
    await expect(
      readWeb(`http://localhost:${server.port}/plain`, asker(blocking)),
    ).rejects.toMatchObject({
      code: 'blocked',
    })
    expect(server.requests).toHaveLength(before)
  })
})

describe('a run has a budget', () => {
  it('bytes are taken for what was read alone, and end', async () => {
    const web = memoryWeb([server.origin])
    await read('/plain', asker(web))
    expect(web.used.bytes).toBe(Buffer.byteLength(text))
    for (let index = 0; index < 5; index++) await read('/nine', asker(web))
    // An answer whose stated length exceeds the rest of the budget is not read; shorter pages are.
    const { bytes } = web.used
    expect(await code('/nine', asker(web))).toBe('web-budget')
    expect(web.used.bytes).toBe(bytes)
    await read('/plain', asker(web))
    expect(await code('/nine-in-pieces', asker(web))).toBe('web-budget')
    expect(web.used.bytes).toBe(webBudget.bytes)
    const requestCount = server.requests.length
    expect(await code('/plain', asker(web))).toBe('web-budget')
    expect(server.requests).toHaveLength(requestCount)
  })

  it('the last bytes are enough for a page that fits', async () => {
    const web = memoryWeb([server.origin])
    const page = Buffer.byteLength(text)
    web.used.bytes = webBudget.bytes - page
    await read('/gzip', asker(web))
    expect(web.used.bytes).toBe(webBudget.bytes)
  })

  it('no request is sent when the run cannot record it or has asked too many hosts', async () => {
    const web = memoryWeb([server.origin])
    for (const why of ['unknown', 'hosts', 'bytes'] as const) {
      const refusing = { ...web, reserve: async () => ({ type: 'refused', why }) as const }
      const before = server.requests.length
      expect(await code('/plain', asker(refusing))).toBe('web-budget')
      expect(server.requests).toHaveLength(before)
    }
  })

  it('a request that fails gives its reserved bytes back', async () => {
    const web = memoryWeb([server.origin])
    for (const path of ['/missing', '/to-other', '/unknown']) await code(path, asker(web))
    expect(web.used.bytes).toBe(0)
  })
})

test('a page that failed five times in a row closes its host to this person alone', async () => {
  const alone = await startWebServer(pages)
  const given = asker(memoryWeb([alone.origin]))
  const broken = () => readWeb(`${alone.origin}/broken`, given)
  for (let index = 0; index < 4; index++) await broken()
  await readWeb(`${alone.origin}/plain`, given)
  for (let index = 0; index < 5; index++) expect((await broken()).status).toBe(503)
  await expect(broken()).rejects.toMatchObject({ code: 'host-failing' })
  expect(alone.requests).toHaveLength(10)
  const others = { ...given, person: 'kim' }
  expect((await readWeb(`${alone.origin}/plain`, others)).status).toBe(200)
  await alone.close()
})

test('pages that never answer in time close a host to this person alone', async () => {
  const alone = await startWebServer(pages)
  const given = asker(memoryWeb([alone.origin]), { longestMs: 30 })
  for (let index = 0; index < 5; index++) {
    const slow = readWeb(`${alone.origin}/silent?${index}`, given)
    await expect(slow).rejects.toMatchObject({ code: 'too-slow' })
  }
  const plain = `${alone.origin}/plain`
  await expect(readWeb(plain, given)).rejects.toMatchObject({ code: 'host-failing' })
  const others = { ...asker(memoryWeb([alone.origin])), person: 'kim' }
  expect((await readWeb(plain, others)).status).toBe(200)
  await alone.close()
})

test('a host that refuses connections five times in a row is asked by nobody', async () => {
  const gone = await startWebServer(pages)
  await gone.close()
  const given = asker(memoryWeb([gone.origin]))
  const ask = (person: string) => readWeb(`${gone.origin}/plain`, { ...given, person })
  for (let index = 0; index < 5; index++)
    await expect(ask('ada')).rejects.toMatchObject({ code: 'unreachable' })
  await expect(ask('kim')).rejects.toMatchObject({ code: 'host-failing' })
})

test('whether an address is there is asked without its content', async () => {
  const web = memoryWeb([server.origin])
  const head = (path: string) => headWeb(server.origin + path, asker(web))
  expect(await head('/gzip')).toMatchObject({ status: 200, address: `${server.origin}/gzip` })
  expect(server.requests.at(-1)?.method).toBe('HEAD')
  expect(await head('/no-head')).toMatchObject({ status: 200 })
  expect(server.requests.slice(-2).map(({ method }) => method)).toEqual(['HEAD', 'GET'])
  expect(await head('/to-plain')).toMatchObject({ status: 200, address: `${server.origin}/plain` })
  expect(await head('/missing')).toMatchObject({ status: 404 })
  await expect(head('/to-other')).rejects.toMatchObject({ code: 'redirected' })
  expect(web.used.bytes).toBeGreaterThan(0)
})
