import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { memoryWeb } from '@/tests/support/memory-web'
import { redirects, sends, startWebServer } from '@/tests/support/web-server'
import fetchUrl from './fetch-url'

const page =
  '<!doctype html><html><title>Manual</title><body><p>Press <a href="b">the button</a>.</p>'
const long = 'word '.repeat(12_000)
const key = `sk-proj-${'a1B2c3D4e5'.repeat(6)}`
/** A key that begins in the first part and ends in the second one. */
const withKey = `${`<title>T</title>${'word '.repeat(10_000)}`.slice(0, 49_990)}token=${key} end`
let server: Awaited<ReturnType<typeof startWebServer>>
beforeAll(async () => {
  server = await startWebServer({
    '/page': sends(page, { 'content-type': 'text/html; charset=utf-8' }),
    '/moved': redirects('/page'),
    '/long': sends(long),
    '/key': sends(withKey, { 'content-type': 'text/plain' }),
    '/image': sends('\x89PNG', { 'content-type': 'image/png' }),
  })
})
afterAll(() => server.close())

const fetch = (path: string, start?: number) =>
  callToolDirectly(
    fetchUrl,
    { url: server.origin + path, start },
    { web: memoryWeb([server.origin]) },
  )

test('a page is returned as Markdown with its final address, and the evidence beside it', async () => {
  const { content, artifacts } = await fetch('/moved')
  const text = `Press [the button](${server.origin}/b).`
  const url = `${server.origin}/page`
  expect(content).toEqual({ title: 'Manual', url, text, characters: text.length, next: null })
  const sha256 = createHash('sha256').update(page).digest('hex')
  expect(artifacts).toEqual([
    {
      type: 'table',
      title: 'Evidence',
      columns: ['Fact', 'Value'],
      rows: [
        ['Final address', url],
        ['Status', '200'],
        ['Content type', 'text/html; charset=utf-8'],
        ['Bytes', String(page.length)],
        ['SHA-256', sha256],
        ['Read at', expect.stringMatching(/^\d{4}-\d\d-\d\dT/)],
      ],
    },
  ])
})

test('a long text goes on where it was cut', async () => {
  const first = await fetch('/long')
  expect(first.content).toMatchObject({
    text: long.slice(0, 50_000),
    characters: 60_000,
    next: 50_000,
  })
  const second = await fetch('/long', 50_000)
  expect(second.content).toMatchObject({ text: long.slice(50_000), next: null })
})

it.each([
  ['/image', 'not-readable', 'image/png'],
  ['/missing', 'status', '404'],
])('%s is refused with its reason', async (path, code, said) => {
  await expect(fetch(path)).rejects.toMatchObject({ code, message: expect.stringContaining(said) })
})

test('what looks like a secret is not returned, also where a part ends inside of it', async () => {
  const [first, second, inside] = [
    await fetch('/key'),
    await fetch('/key', 50_000),
    await fetch('/key', 50_020),
  ].map(({ content }) => content as { text: string; next: number | null; characters: number })
  expect(first).toMatchObject({ next: 50_000, characters: withKey.length })
  expect(first?.text).toContain('[redacted]')
  expect(second?.text).toMatch(/^\[redacted\] end$/)
  expect(inside?.text).toMatch(/^\[redacted\] end$/)
  for (const part of [first, second, inside]) expect(part?.text).not.toMatch(/1B2c3/)
})
