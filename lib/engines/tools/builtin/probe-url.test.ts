import { gzipSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { type Served, sends } from '@/tests/support/web-server'
import { callWithSites, siteAt, startHost } from '@/tests/support/web-sites'
import type { LogQuery } from '../tool-resources'
import probeUrl from './probe-url'

describe('probe_url', () => {
  const entry = { at: '2026-01-01T00:00:00.000Z', level: 'error', source: 'engine' }
  async function probe(page: Served) {
    const server = await startHost({ '/docs/': page })
    const queries: LogQuery[] = []
    const readLogs = async (query: LogQuery) => {
      queries.push(query)
      return [{ ...entry, message: 'failed with Bearer abc123DEF456ghi', incidentId: null }]
    }
    const url = `${server.origin}/docs/`
    const answer = await callWithSites(probeUrl, { url }, [siteAt(server.origin)], { readLogs })
    return { answer, queries }
  }

  test('tells how a page answers, without cookies and without following', async () => {
    const { answer, queries } = await probe((_request, response) =>
      response
        .writeHead(302, {
          'content-type': 'text/plain',
          'set-cookie': 'session=abc',
          'server-timing': 'db;dur=5',
          'x-secret': 'y',
          location: 'https://else.example/?token=x7Kq9x7Kq9x7Kq9x7Kq9',
        })
        .end('Moved.'),
    )
    expect(answer).toEqual({
      site: 'docs',
      status: 302,
      redirect: 'https://else.example/?token=[redacted]',
      firstByteMs: expect.any(Number),
      certificateEnds: null,
      headers: {
        'content-type': 'text/plain',
        date: expect.any(String),
        'server-timing': 'db;dur=5',
        location: 'https://else.example/?token=[redacted]',
      },
      body: 'Moved.',
      leftOut: [
        { what: '2 headers', why: 'only those about content, caching and time are shown' },
        { what: '2 parts', why: expect.stringContaining('[redacted]') },
      ],
    })
    expect(queries).toEqual([])
  })

  test('adds the log of that half minute when the host fails', async () => {
    const before = Date.now()
    const { answer, queries } = await probe((_request, response) =>
      response.writeHead(503, { 'content-type': 'text/html' }).end('Broken.'),
    )
    expect(answer).toMatchObject({ status: 503, body: 'Broken.' })
    expect(answer.log).toEqual([
      { ...entry, message: expect.not.stringContaining('abc123'), incidentId: null },
    ])
    const [{ between, ...query } = { between: undefined }] = queries
    expect(query).toEqual({ level: 'warn', limit: 21 })
    const [from, to] = between ?? []
    expect(Number(to) - Number(from)).toBe(30_000)
    expect(Number(from)).toBeGreaterThanOrEqual(before - 15_000)
  })

  test('says that older entries of the log are left out', async () => {
    const server = await startHost({
      '/docs/': (_request, response) => response.writeHead(500).end(),
    })
    const readLogs = async ({ limit }: LogQuery) =>
      Array.from({ length: limit }, () => ({ ...entry, message: 'failed', incidentId: null }))
    const url = `${server.origin}/docs/`
    const answer = await callWithSites(probeUrl, { url }, [siteAt(server.origin)], { readLogs })
    expect(answer.log).toHaveLength(20)
    expect(answer.leftOut).toContainEqual({
      what: 'further entries of the log',
      why: 'a call shows at most 20',
    })
  })

  const body = (what: string, why: string) => expect.arrayContaining([{ what, why }])
  it.each<[string, Served, object]>([
    [
      'is in another encoding, as the answer names it',
      sends(Buffer.from([0x93, 0xfa]), { 'content-type': 'text/plain; charset=cp932' }),
      { body: '日', bodyEncoding: 'shift_jis' },
    ],
    [
      'is long',
      sends('word '.repeat(1_000)),
      {
        body: 'word '.repeat(500).slice(0, 2_048),
        leftOut: body('the rest of the body', 'a call shows at most 2 KB'),
      },
    ],
    [
      'never ends',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' })
        const more = () => {
          while (!response.destroyed && response.write('word '.repeat(13_000)));
        }
        response.on('drain', more)
        more()
      },
      {
        body: 'word '.repeat(500).slice(0, 2_048),
        leftOut: body('the rest of the body', 'a call shows at most 2 KB'),
      },
    ],
    [
      'breaks off',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 100 })
        response.write('start')
        setTimeout(() => response.destroy(), 100)
      },
      {
        body: 'start',
        leftOut: body('the rest of the body', 'it broke off or took too long'),
      },
    ],
    [
      'is a picture',
      sends('x', { 'content-type': 'image/png' }),
      { body: null, leftOut: body('the body', 'it is image/png') },
    ],
    [
      'is compressed',
      sends(gzipSync('x'), { 'content-encoding': 'gzip' }),
      { body: null, leftOut: body('the body', 'it is compressed') },
    ],
  ])('shows the start of a body that %s', async (_what, page, expected) => {
    expect((await probe(page)).answer).toMatchObject(expected)
  })
})
