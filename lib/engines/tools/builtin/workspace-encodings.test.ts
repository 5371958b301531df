import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { memoryWorkspaces } from '@/tests/support/memory-workspaces'
import type { ToolDefinition } from '../define-tool'
import editFile from './edit-file'
import readFile from './read-file'
import searchFilesText from './search-files-text'
import writeFile from './write-file'

let root: string
let site: ReturnType<typeof memoryWorkspaces>

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'encodings-')))
  site = memoryWorkspaces([{ id: 'w1', name: 'handbook', root, isWritable: true }])
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const call = async (tool: ToolDefinition, args: object) =>
  (await callToolDirectly(tool, { workspace: 'handbook', ...args }, { workspaces: site })).content
const stored = (place: string) => readFileSync(path.join(root, place), 'utf8')

const inBytes = {
  'windows-1252': (text: string) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1'),
  'utf-16le': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
}

describe.each(Object.entries(inBytes))('a file in %s', (encoding, bytesOf) => {
  const put = (text: string) => writeFileSync(path.join(root, 'o.txt'), bytesOf(text))
  const now = () => readFileSync(path.join(root, 'o.txt'))

  it('is read, searched, edited and written over in its encoding, which the results name', async () => {
    put('caf\u00e9 5 \u20ac\n')
    const assumed = encoding === 'windows-1252' ? ' (assumed: it names none and is not UTF-8)' : ''
    const shown = `Lines 1 to 1 of 1. The file is stored in ${encoding}${assumed}.\n\n`
    expect(String(await call(readFile, { path: 'o.txt' })).replace('\ufeff', '')).toBe(
      `${shown}caf\u00e9 5 \u20ac`,
    )
    expect(await call(searchFilesText, { pattern: 'caf\u00e9 5' })).toMatchObject({
      matches: [{ path: 'o.txt', line: 1 }],
    })
    const edit = { path: 'o.txt', find: 'caf\u00e9 5', replace: 'th\u00e9 7' }
    const edited = bytesOf('th\u00e9 7 \u20ac\n')
    expect(await call(editFile, edit)).toEqual({ edited: true, encoding, bytes: edited.length })
    expect(now()).toEqual(edited)
    const written = { path: 'o.txt', content: '\u00fcber\n' }
    expect(await call(writeFile, written)).toMatchObject({ encoding })
    expect(now()).toEqual(bytesOf('\u00fcber\n'))
    expect(site.kept).toMatchObject([{ encoding }, { encoding }])
  })
})

describe('a file that names its encoding', () => {
  const declared = (text: string) => `<?xml version="1.0" encoding="Shift_JIS"?>\n${text}\n`
  const put = (...rest: number[]) =>
    writeFileSync(
      path.join(root, 'o.xml'),
      Buffer.from([...Buffer.from(declared('').trimEnd()), 0x0a, ...rest, 0x0a]),
    )
  const now = () => readFileSync(path.join(root, 'o.xml'), 'latin1')

  it('is read, found, edited and written over in it', async () => {
    put(0x93, 0xfa, 0x8f, 0x5c)
    expect(await call(readFile, { path: 'o.xml' })).toBe(
      `Lines 1 to 2 of 2. The file is stored in shift_jis.\n\n${declared('日十').trimEnd()}`,
    )
    expect(await call(searchFilesText, { pattern: '日十' })).toMatchObject({
      matches: [{ path: 'o.xml', line: 2 }],
    })
    const edit = { path: 'o.xml', find: '十', replace: 'ソ5' }
    expect(await call(editFile, edit)).toMatchObject({ encoding: 'shift_jis' })
    expect(now()).toBe(declared('\x93\xfa\x83\x5c5'))
    await call(writeFile, { path: 'o.xml', content: declared('日') })
    expect(now()).toBe(declared('\x93\xfa'))
    await expect(call(editFile, { ...edit, find: '日', replace: '\u2603' })).rejects.toThrow(
      'shift_jis, which has no "\u2603"',
    )
    await expect(
      call(writeFile, { path: 'o.xml', content: declared('日').replace('Shift_JIS', 'UTF-8') }),
    ).rejects.toThrow('Nothing was written')
    expect(now()).toBe(declared('\x93\xfa'))
  })

  it('says how many characters are lost, and is then not written', async () => {
    put(0x93, 0xfa, 0xa0)
    const lost = async (tool: ToolDefinition, args: object) => {
      const asked = { workspace: 'handbook', ...args }
      return (await callToolDirectly(tool, asked, { workspaces: site })).leftOut
    }
    expect(await lost(readFile, { path: 'o.xml' })).toEqual([
      { what: '1 character', why: expect.stringContaining('U+FFFD') },
    ])
    expect(await lost(readFile, { path: 'o.xml', lines: 1 })).toEqual([
      { what: 'lines 2 to 2', why: 'go on with start 2' },
    ])
    expect(await lost(searchFilesText, { pattern: '日', glob: '*.xml' })).toContainEqual({
      what: '1 file in part',
      why: expect.stringContaining('not valid in its encoding'),
    })
    const before = now()
    const edit = { path: 'o.xml', find: '日', replace: 'x' }
    await expect(call(editFile, edit)).rejects.toThrow('would be lost as shift_jis')
    expect(now()).toBe(before)
  })

  it('is not written new in another one than it names', async () => {
    const page = '<html><meta charset="windows-1251"><p>Größe'
    await expect(call(writeFile, { path: 'new.html', content: page })).rejects.toThrow(
      'Change the text, or the encoding that it names at its beginning.',
    )
    await call(writeFile, { path: 'new.html', content: page.replace('windows-1251', 'utf-8') })
  })
})

test('what an encoding cannot hold is refused by its character, and nothing is written', async () => {
  writeFileSync(path.join(root, 'o.txt'), Buffer.from('caf\xe9\n', 'latin1'))
  const words = 'windows-1252, which has no "\u2603" (U+2603)'
  const edit = { path: 'o.txt', find: 'caf', replace: '\u2603' }
  await expect(call(editFile, edit)).rejects.toThrow(words)
  await expect(call(writeFile, { path: 'o.txt', content: 'a \u2603' })).rejects.toThrow(words)
  expect(readFileSync(path.join(root, 'o.txt'), 'latin1')).toBe('caf\xe9\n')
  expect(site.kept).toEqual([])
})

test.each([
  ['one line', 'two', '2', 'one\r\n2\r\nthree\r\n'],
  ['several lines', 'one\ntwo\n', '1\n2\n2b\n', '1\r\n2\r\n2b\r\nthree\r\n'],
  ['a line that becomes several', 'two', '2\n2b', 'one\r\n2\r\n2b\r\nthree\r\n'],
  ['lines as they are stored', 'one\r\ntwo', '1\r\n2', '1\r\n2\r\nthree\r\n'],
  ['a break alone', '\nthree', '\n3', 'one\r\ntwo\r\n3\r\n'],
])(
  'edits %s of a file with CRLF by its lines, and keeps its line ends',
  async (_name, find, replace, after) => {
    writeFileSync(path.join(root, 'w.txt'), 'one\r\ntwo\r\nthree\r\n')
    const seen = String(await call(readFile, { path: 'w.txt' }))
    expect(seen).toBe('Lines 1 to 3 of 3. Its line ends are CRLF.\n\none\ntwo\nthree')
    expect(await call(editFile, { path: 'w.txt', find, replace })).toMatchObject({
      lineEnds: 'CRLF',
    })
    expect(stored('w.txt')).toBe(after)
  },
)

test('a file with both line ends keeps those of each passage', async () => {
  writeFileSync(path.join(root, 'm.txt'), 'a\r\nb\nc\r\nd\n')
  const edit = (find: string, replace: string) => call(editFile, { path: 'm.txt', find, replace })
  expect(await edit('a\nb\n', 'A\nB\n')).toMatchObject({ lineEnds: 'mixed' })
  await edit('d', 'D\nE')
  expect(stored('m.txt')).toBe('A\r\nB\nc\r\nD\nE\n')
})

test('a text that is written over a file gets its line ends and its byte order mark', async () => {
  writeFileSync(path.join(root, 'w.txt'), '\ufeffone\r\ntwo\r\n')
  const write = (content: string) => call(writeFile, { path: 'w.txt', content })
  expect(await write('1\n2\n')).toEqual({
    written: 'over the old file',
    bytes: 9,
    lineEnds: 'CRLF',
  })
  expect(stored('w.txt')).toBe('\ufeff1\r\n2\r\n')
  await call(writeFile, { path: 'new.txt', content: '1\r\n2\n' })
  expect(stored('new.txt')).toBe('1\r\n2\n')
})

test('a passage that is there in both line ends matches twice', async () => {
  writeFileSync(path.join(root, 'm.txt'), 'a\r\nb\na\nb\n')
  const edit = { path: 'm.txt', find: 'a\nb', replace: 'x' }
  await expect(call(editFile, edit)).rejects.toThrow('matches 2 times')
})

test('a file with a NUL between its characters is no text, so that it hides no secret', async () => {
  const text = '\ufeffuse sk-proj-abcdefghijklmnopqrstuvwxyz012345 here\n'
  const wide = Buffer.from([...text].join('\0').concat('\0'), 'utf16le')
  for (const bytes of [wide, Buffer.from(wide).swap16()]) {
    writeFileSync(path.join(root, 'wide.txt'), bytes)
    await expect(call(readFile, { path: 'wide.txt' })).rejects.toThrow('This file is no text')
    expect(await call(searchFilesText, { pattern: 'k' })).toMatchObject({ matches: [] })
    const edit = { path: 'wide.txt', find: 'h', replace: 'x' }
    await expect(call(editFile, edit)).rejects.toThrow('This file is no text')
  }
})

test('a file keeps the byte order mark that makes it readable, whatever an edit says', async () => {
  writeFileSync(path.join(root, 'u.txt'), '\ufeffone\n', 'utf16le')
  await call(editFile, { path: 'u.txt', find: '\ufeffone', replace: 'two' })
  expect(readFileSync(path.join(root, 'u.txt'), 'utf16le')).toBe('\ufefftwo\n')
})

test.each([
  ['Ã©', 'would be "é"'],
  ['ÿþab', 'would be other letters'],
  ['é\x01', 'would be no text'],
])(
  'a text that reads otherwise in the encoding of its file is not written: %j, which %s',
  async (content) => {
    const before = Buffer.from([0x67, 0xe9, 0x0a])
    writeFileSync(path.join(root, 'w.txt'), before)
    await expect(call(writeFile, { path: 'w.txt', content })).rejects.toThrow(
      'Nothing was written: the file is windows-1252, in which this text would read as another one.',
    )
    await expect(call(editFile, { path: 'w.txt', find: 'gé', replace: content })).rejects.toThrow(
      'Nothing was written',
    )
    expect(readFileSync(path.join(root, 'w.txt'))).toEqual(before)
    expect(site.kept).toEqual([])
  },
)
