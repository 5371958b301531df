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
/** Pages in the encodings that people still use. */
const foreign: Record<string, [content: Buffer, type: string, text: string, encoding: string]> = {
  '/cp932': [
    Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x87, 0x40]),
    'text/plain; charset=cp932',
    '日本①',
    'shift_jis',
  ],
  '/russian': [
    Buffer.from('<html><meta charset=windows-1251><p>\xcf\xf0\xe8', 'latin1'),
    'text/html',
    'При',
    'windows-1251',
  ],
  '/xml': [
    Buffer.from('<?xml version="1.0" encoding="ISO-8859-15"?><a>5 \xa4</a>', 'latin1'),
    'text/xml',
    '<?xml version="1.0" encoding="ISO-8859-15"?><a>5 €</a>',
    'iso-8859-15',
  ],
  '/latin.csv': [
    Buffer.from('Gr\xf6\xdfe;5 \x80\r\n', 'latin1'),
    'text/csv',
    'Größe;5 €\r\n',
    'windows-1252 (assumed: it names none and is not UTF-8)',
  ],
  '/excel': [
    Buffer.from('\ufeffGröße\t5', 'utf16le'),
    'application/octet-stream',
    'Größe\t5',
    'utf-16le',
  ],
  '/wide': [Buffer.from('Größe;5', 'utf16le'), 'text/csv; charset=utf-16le', 'Größe;5', 'utf-16le'],
  '/marked': [Buffer.from('\ufeffü', 'utf16le'), 'text/plain; charset=utf-8', 'ü', 'utf-16le'],
}
let server: Awaited<ReturnType<typeof startWebServer>>
beforeAll(async () => {
  server = await startWebServer({
    '/page': sends(page, { 'content-type': 'text/html; charset=utf-8' }),
    '/moved': redirects('/page'),
    '/long': sends(long),
    '/key': sends(withKey, { 'content-type': 'text/plain' }),
    '/image': sends('\x89PNG', { 'content-type': 'image/png' }),
    '/download': sends(page, { 'content-type': 'application/x-download' }),
    '/program': sends('MZ\x90\0\x03', { 'content-type': 'application/octet-stream' }),
    '/noise': sends(Buffer.from('\xe9\x01\x02', 'latin1'), { 'content-type': 'text/plain' }),
    '/broken': sends(Buffer.from('Gr\xfc\xdfe', 'latin1'), {
      'content-type': 'text/plain; charset=utf-8',
    }),
    ...Object.fromEntries(
      Object.entries(foreign).map(([path, [content, type]]) => [
        path,
        sends(content, { 'content-type': type }),
      ]),
    ),
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

it.each(Object.entries(foreign))(
  'the text of %s is decoded as it says, or else by its bytes, and the result names how',
  async (path, [, , text, encoding]) => {
    expect(await fetch(path)).toMatchObject({ content: { text, encoding }, leftOut: [] })
  },
)

test('characters that cannot be decoded are counted', async () => {
  const { content, leftOut } = await fetch('/broken')
  expect(content).toMatchObject({ text: 'Gr\ufffd\ufffde' })
  expect(leftOut).toContainEqual({
    what: '2 characters',
    why: 'shown as U+FFFD, since their bytes are not valid in its encoding',
  })
})

test('a page that is sent as a download is read by its first bytes', async () => {
  expect((await fetch('/download')).content).toMatchObject({ title: 'Manual' })
})

it.each([
  ['/image', 'not-readable', 'image/png'],
  ['/program', 'not-readable', 'binary data'],
  ['/noise', 'not-readable', 'binary data'],
  ['/missing', 'status', '404'],
])('%s is refused with its reason', async (path, code, said) => {
  await expect(fetch(path)).rejects.toMatchObject({ code, message: expect.stringContaining(said) })
})

test('text that looks like a secret is not returned, also where a part ends inside of it', async () => {
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
