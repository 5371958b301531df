import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { makePdf, pagesOf } from '@/tests/support/make-pdf'
import { residentMemory } from '@/tests/support/resident-memory'
import type { PageKind } from './page-kind'
import { pageKind } from './page-kind'
import { readElsewhere } from './read-elsewhere'

const signal = new AbortController().signal

function read(kind: PageKind, content: string | Uint8Array, given = {}) {
  const bytes = new Uint8Array(Buffer.from(content))
  const where = { charset: null, address: 'https://example.org/a/b', start: 0, most: 50_000 }
  return readElsewhere({ content: bytes, kind, ...where, ...given }, signal)
}

const words = 'These words are the article, and there are enough of them to be one. '.repeat(12)

test('HTML becomes Markdown, with absolute links, and without what nobody sees', async () => {
  const page = `<!doctype html><html><head><title> The
    title </title><base href="/docs/"><style>p { color: red }</style></head><body>
    <header><nav><a href="/">Start</a></nav></header>
    <article><h1>Head</h1><p>${words}</p>
    <p>See <a href="next?a=1#b" onclick="x()">the next</a>, <a href="javascript:alert(1)">this</a> and
    <a href="//other.example/x">that</a>. <img src="https://example.org/pixel?secret" alt="A picture"></p>
    <script>alert('script')</script><p style="display: none">hidden by style</p><p hidden>hidden</p>
    <span style="font-size:0">tiny</span><template>template</template><form><button>form</button></form>
    <table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2|3</td></tr></table>
    <ul><li>one<li>two</ul><pre><code>let x = 1</code></pre><!-- comment --></article></body></html>`
  const { title, text, total, links } = await read('html', page)
  expect(title).toBe('The title')
  expect(text).toContain(words.trim())
  expect(text).toContain('[the next](https://example.org/docs/next?a=1#b), this and')
  expect(text).toContain('[that](https://other.example/x). A picture')
  expect(text).toContain('| A | B |\n| --- | --- |\n| 1 | 2\\|3 |')
  expect(text).toMatch(/- {1,3}one\n- {1,3}two/)
  expect(text).toContain('```\nlet x = 1\n```')
  expect(text).not.toMatch(/script|hidden|tiny|template|form|comment|color|pixel/)
  expect(total).toBe(text.length)
  expect(links).toBe(3)
})

const nothing = { title: '', text: '', total: 0, links: null, hiddenFrom: null, leftOut: [] }

test('a page without an article is whole, and so is a part of one', async () => {
  const { text } = await read('html', '<title>T</title><p>One <b>two</b><p><a href="c">three</a>')
  expect(text).toBe('One **two**\n\n[three](https://example.org/a/c)')
  expect(await read('html', '')).toEqual({ ...nothing, links: 0 })
})

test('text is read in its encoding, and in parts', async () => {
  const latin = Buffer.from('Gr\xfc\xdfe', 'latin1')
  expect(await read('text', latin, { charset: 'iso-8859-1' })).toMatchObject({ text: 'Grüße' })
  const page = Buffer.concat([Buffer.from('<html><meta charset="iso-8859-1"><body>'), latin])
  expect(await read('html', page)).toMatchObject({ text: 'Grüße' })
  expect(await read('text', 'Grüße', { charset: 'no-such' })).toMatchObject({ text: 'Grüße' })
  expect(await read('text', 'abcdef', { start: 2, most: 3 })).toEqual({
    ...nothing,
    text: 'cde',
    total: 6,
  })
  expect(await read('text', 'abc', { start: 9 })).toMatchObject({ text: '', total: 3 })
})

test('JSON has a line for each value, and broken JSON is as it is', async () => {
  expect(await read('json', '{"a":[1]}')).toMatchObject({ text: '{\n  "a": [\n    1\n  ]\n}' })
  expect(await read('json', '{"a":')).toMatchObject({ text: '{"a":' })
  expect(await read('json', '['.repeat(100_000))).toMatchObject({ total: 100_000 })
  const long = `["${'a'.repeat(2_000_000)}"]`
  expect(await read('json', long)).toMatchObject({ total: long.length })
})

test('the text of a PDF is that of its pages', async () => {
  const { text } = await read('pdf', makePdf(pagesOf(['First page', 'Second page'])))
  expect(text).toBe('First page\n\nSecond page')
  await expect(read('pdf', 'no PDF')).rejects.toMatchObject({ code: 'unreadable' })
})

describe('a hostile document ends its process, not the server', () => {
  const bomb = deflateSync(deflateSync(Buffer.alloc(100 * 1024 * 1024, ' ')))
  const pages = pagesOf(['a'])
  const content = pages.findIndex(([, body]) => typeof body !== 'string')
  /** A document whose only page has this, packed twice. */
  const withContent = (data: Buffer) =>
    pages.map((each, index) =>
      index === content
        ? ([each[0], { dict: '/Filter [/FlateDecode /FlateDecode]', data }] as const)
        : each,
    )
  const many = (text: (index: number) => string) =>
    Array.from({ length: 800_000 }, (_, index) => text(index)).join(' ')
  const names = `<<${many((index) => `/k${index} 0`)}>>`
  const trailer = 'trailer\n<< /Root 1 0 R /Info 90 0 R >>\n'
  it.each<[string, PageKind, () => string | Uint8Array]>([
    // A single value that is too large for the heap would end the process of a thread, whatever the limits of the
    // thread.
    ['an element of 800,000 attributes', 'html', () => `<p ${many((index) => `a${index}=`)}>`],
    ['a PDF with 800,000 names', 'pdf', () => makePdf([...pages, [90, names]], trailer)],
    ['100,000 nested elements', 'html', () => '<div>'.repeat(100_000)],
    ['100,000 nested formats', 'html', () => '<b>x'.repeat(100_000)],
    ['2,000,000 elements', 'html', () => '<p>a'.repeat(2_000_000)],
    ['tables in tables', 'html', () => '<table><tr><td>'.repeat(20_000)],
  ])('%s', async (_what, kind, text) => {
    await expect(read(kind, text())).rejects.toMatchObject({ code: 'too-complex' })
  })

  it.each<[string, string]>([
    ['an attribute of 10 MiB', `<p title="${'a'.repeat(10_000_000)}">x</p>`],
    ['comments in comments', `<p>x</p>${'<!--'.repeat(1_000_000)}`],
    ['a style of 8 MB', `<p style="${'display '.repeat(1_000_000)}">x</p>`],
  ])('%s is read', async (_what, text) => {
    expect(await read('html', text)).toMatchObject({ text: 'x' })
  })

  it('a PDF that unpacks to 100 MiB takes little memory', async () => {
    // Another file of tests may have processes that wait.
    const before = (await residentMemory(process.pid)).started
    let most = 0
    const watch = setInterval(async () => {
      most = Math.max(most, (await residentMemory(process.pid)).started - before)
    }, 5)
    await read('pdf', makePdf(withContent(bomb))).catch(() => null)
    clearInterval(watch)
    expect(most).toBeGreaterThan(10)
    expect(most).toBeLessThan(250)
    // The next document finds a process of its own.
    expect(await read('pdf', makePdf(pages))).toMatchObject({ text: 'a' })
  })

  it('a PDF that unpacks to 10 GB ends below 300 MB', async () => {
    // A block that ends at a whole byte can stand any number of times.
    const flush = { finishFlush: constants.Z_FULL_FLUSH }
    const block = deflateRawSync(Buffer.alloc(16 * 1024 * 1024), flush)
    const header = Buffer.from([0x78, 0x9c])
    const packed = deflateSync(Buffer.concat([header, ...Array<Buffer>(640).fill(block)]))
    const before = (await residentMemory(process.pid)).started
    let most = 0
    const watch = setInterval(async () => {
      most = Math.max(most, (await residentMemory(process.pid)).started - before)
    }, 5)
    const reading = read('pdf', makePdf(withContent(packed)))
    await expect(reading).rejects.toMatchObject({ code: 'too-complex' })
    clearInterval(watch)
    expect(most).toBeGreaterThan(10)
    expect(most).toBeLessThan(300)
  })

  it('a stopped run ends the process', async () => {
    const stop = new AbortController()
    const content = new Uint8Array(Buffer.from(words))
    const question = {
      content,
      kind: 'html',
      charset: null,
      address: 'https://example.org/',
    } as const
    const reading = readElsewhere({ ...question, start: 0, most: 10 }, stop.signal)
    stop.abort(new Error('The run was stopped.'))
    await expect(reading).rejects.toThrow('The run was stopped.')
  })
})

describe('what an answer is', () => {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
  it.each([
    ['text/html; charset=UTF-8', '', { kind: 'html', charset: 'utf-8' }],
    ['Application/XHTML+XML', '', { kind: 'html', charset: null }],
    ['application/pdf', '\0', { kind: 'pdf', charset: null }],
    ['application/vnd.api+json', '{}', { kind: 'json', charset: null }],
    ['text/csv;header=present', 'a', { kind: 'text', charset: null }],
    ['application/xml', '<a/>', { kind: 'text', charset: null }],
    ['image/png', '\x89PNG', { named: 'image/png' }],
    ['application/octet-stream', 'a', { kind: 'text', charset: null }],
    ['application/x-download', '%PDF-1.7', { kind: 'pdf', charset: null }],
    ['binary/octet-stream', 'a\0', { named: 'binary data' }],
    ['text/html', 'a\0b', { named: 'binary data' }],
    ['text/plain; charset=utf-16', '\xff\xfea\0', { kind: 'text', charset: 'utf-16' }],
    ['nonsense <script>', 'a', { named: 'an unknown type' }],
    [undefined, '%PDF-1.7', { kind: 'pdf', charset: null }],
    [undefined, ' <!DOCTYPE html><p>', { kind: 'html', charset: null }],
    [undefined, '[1]', { kind: 'json', charset: null }],
    [undefined, 'words', { kind: 'text', charset: null }],
    ['', 'a\0', { named: 'binary data' }],
  ])('%s %j', (type, content, found) => {
    expect(pageKind(type, bytes(content))).toEqual(found)
  })
})
