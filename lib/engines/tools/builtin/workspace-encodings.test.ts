import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { memoryWorkspaces } from '@/tests/support/memory-workspaces'
import type { ToolDefinition } from '../define-tool'
import editFile from './edit-file'
import listDirectory from './list-directory'
import readFile from './read-file'
import searchFilesText from './search-files-text'
import writeFile from './write-file'

let root: string
let site: ReturnType<typeof memoryWorkspaces>

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'workspace-')))
  site = memoryWorkspaces([{ id: 'w1', name: 'handbook', root, isWritable: true }])
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const resultOf = (tool: ToolDefinition, args: object) =>
  callToolDirectly(tool, { workspace: 'handbook', ...args }, { workspaces: site })
const call = async (tool: ToolDefinition, args: object) => (await resultOf(tool, args)).content
const stored = (place: string) => readFileSync(path.join(root, place), 'utf8')

test.each([
  ['composed', 'NFC', 'NFD'],
  ['decomposed', 'NFD', 'NFC'],
])('a %s name finds the file, whichever way it is spelled', async (_name, typed, kept) => {
  const folder = 'Stra\u00dfe \u00fc'.normalize(kept)
  const file = 'r\u00e9sum\u00e9.md'.normalize(kept)
  mkdirSync(path.join(root, folder))
  writeFileSync(path.join(root, folder, file), 'one\n')
  const at = `${folder}/${file}`.normalize(typed)
  expect(await call(readFile, { path: at })).toContain('one')
  expect(JSON.stringify(await call(listDirectory, { path: folder.normalize(typed) }))).toContain(
    file,
  )
  expect(
    await call(searchFilesText, { pattern: 'one', glob: '*\u00e9.md'.normalize(typed) }),
  ).toMatchObject({ matches: [{ line: 1 }] })
  await call(editFile, { path: at, find: 'one', replace: 'two' })
  expect(await call(writeFile, { path: at, content: 'three\n' })).toMatchObject({
    written: 'over the old file',
  })
  expect(readdirSync(path.join(root, folder))).toEqual([file])
  expect(stored(path.join(folder, file))).toBe('three\n')
})

test('two files whose names differ only in how their letters are encoded are each found by their own name', async () => {
  const names = ['NFC', 'NFD'].map((form) => '\u00fc.md'.normalize(form))
  for (const [at, name] of names.entries()) writeFileSync(path.join(root, name), `file ${at}\n`)
  for (const [at, name] of names.entries())
    expect(await call(readFile, { path: name })).toContain(`file ${at}`)
})

/** Windows-1252 has one byte a character, UTF-16 two and a mark at the beginning. */
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
    const lost = async (tool: ToolDefinition, args: object) => (await resultOf(tool, args)).leftOut
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

test('a character that the encoding of the file lacks is named and nothing is written', async () => {
  writeFileSync(path.join(root, 'o.txt'), Buffer.from('caf\xe9\n', 'latin1'))
  const words = 'windows-1252, which has no "\u2603" (U+2603)'
  const edit = { path: 'o.txt', find: 'caf', replace: '\u2603' }
  await expect(call(editFile, edit)).rejects.toThrow(words)
  await expect(call(writeFile, { path: 'o.txt', content: 'a \u2603' })).rejects.toThrow(words)
  expect(readFileSync(path.join(root, 'o.txt'), 'latin1')).toBe('caf\xe9\n')
  expect(site.kept).toEqual([])
})
