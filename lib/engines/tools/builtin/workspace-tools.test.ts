import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { memoryWorkspaces } from '@/tests/support/memory-workspaces'
import { bindTool } from '../bind-tool'
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
  mkdirSync(path.join(root, 'docs'))
  writeFileSync(path.join(root, 'README.md'), 'one\ntwo\nthree\n')
  writeFileSync(path.join(root, 'docs/a.md'), 'two\n')
  writeFileSync(path.join(root, '.env'), 'TOKEN=two')
  site = memoryWorkspaces([
    { id: 'w1', name: 'handbook', root, isWritable: true },
    { id: 'w2', name: 'archive', root, isWritable: false },
  ])
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const call = async (tool: ToolDefinition, args: object) =>
  (await callToolDirectly(tool, { workspace: 'handbook', ...args }, { workspaces: site })).content
/** Returns what the result of a call says that it left out. */
const leftOut = async (tool: ToolDefinition, args: object) => {
  const given = { workspace: 'handbook', ...args }
  const result = await callToolDirectly(tool, given, { workspaces: site })
  return result.leftOut?.map(({ what, why }) => `${what} (${why})`)
}
const stored = (place: string) => readFileSync(path.join(root, place), 'utf8')

const all: [ToolDefinition, object][] = [
  [listDirectory, {}],
  [readFile, { path: 'README.md' }],
  [searchFilesText, { pattern: 'two' }],
  [writeFile, { path: 'README.md', content: 'x' }],
  [editFile, { path: 'README.md', find: 'two', replace: '2' }],
]

describe.each(all)('$name', (tool, args) => {
  it('tells which workspaces may be used when the name is wrong, and never where they are', async () => {
    for (const workspace of ['other', 'Handbook', '../handbook', '__proto__']) {
      const request = call(tool, { ...args, workspace })
      await expect(request).rejects.toThrow('You may use: archive, handbook.')
      await expect(request).rejects.not.toThrow(root)
    }
    site = memoryWorkspaces([])
    await expect(call(tool, args)).rejects.toThrow('There is none that you may use for this.')
  })

  it('says the same of what is hidden, outside and missing', async () => {
    symlinkSync('/etc', path.join(root, 'etc'))
    const paths = ['.env', '../x', '/etc/hostname', 'etc/hostname', 'nowhere/x', 'README.md/x']
    for (const at of paths) {
      const request = call(tool, { ...args, path: at })
      await expect(request, at).rejects.toThrow('File or folder not found or not permitted.')
    }
  })
})

test('lists what there is, with kind, size and date, without what is hidden', async () => {
  symlinkSync('/etc', path.join(root, 'etc'))
  const at = expect.stringMatching(/^\d{4}-.*Z$/)
  expect(await call(listDirectory, {})).toEqual({
    total: 3,
    shown: 3,
    entries: [
      { name: 'README.md', kind: 'file', bytes: 14, changed: at },
      { name: 'docs', kind: 'folder', bytes: null, changed: at },
      { name: 'etc', kind: 'link', bytes: null, changed: at },
    ],
  })
})

test('lists 500 entries of a full folder, and says how many there are', async () => {
  for (let n = 0; n < 510; n += 1) writeFileSync(path.join(root, 'docs', `n${n}`), '')
  expect(await call(listDirectory, { path: 'docs' })).toMatchObject({ total: 511, shown: 500 })
  expect(await leftOut(listDirectory, { path: 'docs' })).toEqual([
    '11 of 511 entries (a call lists at most 500)',
  ])
})

test('reads lines, and says which and how to go on', async () => {
  expect(await call(readFile, { path: 'README.md', lines: 2 })).toBe(
    'Lines 1 to 2 of 3.\n\none\ntwo',
  )
  expect(await call(readFile, { path: './README.md', start: 3 })).toBe(
    'Lines 3 to 3 of 3.\n\nthree',
  )
  expect(await call(readFile, { path: 'README.md', start: 9 })).toBe(
    'It has 3 lines, none of them from 9 on.',
  )
  expect(await leftOut(readFile, { path: 'README.md', start: 2, lines: 1 })).toEqual([
    'lines 1 to 1 (it began at line 2)',
    'lines 3 to 3 (go on with start 3)',
  ])
  expect(await leftOut(readFile, { path: 'README.md' })).toEqual([])
})

test('searches, and never in what is hidden', async () => {
  expect(await call(searchFilesText, { pattern: 'two' })).toMatchObject({
    matches: [
      { path: 'README.md', line: 2, text: 'two' },
      { path: 'docs/a.md', line: 1, text: 'two' },
    ],
  })
})

test('writes a file, and keeps what it was', async () => {
  expect(await call(writeFile, { path: './docs/a.md', content: 'new' })).toEqual({
    written: 'over the old file',
    bytes: 3,
  })
  await call(writeFile, { path: 'docs/b.md', content: 'b\ud800' })
  expect(stored('docs/a.md') + stored('docs/b.md')).toBe('newb\ufffd')
  expect(site.kept).toMatchObject([
    { workspaceId: 'w1', path: 'docs/a.md', before: 'two\n', after: 'new', runId: 'run' },
    { path: 'docs/b.md', before: null, after: 'b\ufffd', callId: 'call' },
  ])
})

test('writes nothing when what a file was cannot be kept, or where only reading is allowed', async () => {
  site.fails = true
  await expect(call(writeFile, { path: 'docs/a.md', content: 'x' })).rejects.toThrow('full')
  site.fails = false
  const archived = { workspace: 'archive', path: 'docs/a.md', content: 'x' }
  await expect(call(writeFile, archived)).rejects.toThrow('You may use: handbook.')
  await expect(call(writeFile, { path: 'docs', content: 'x' })).rejects.toThrow('not permitted')
  await expect(call(writeFile, { path: 'docs/a.md', content: 'a\0' })).rejects.toThrow('NUL')
  expect(stored('docs/a.md')).toBe('two\n')
  expect(site.kept).toEqual([])
})

test('edits the one passage that matches, and says how many match otherwise', async () => {
  writeFileSync(path.join(root, 'n.md'), 'aaa $& end')
  const edit = (find: string, replace = '') => call(editFile, { path: 'n.md', find, replace })
  await expect(edit('b')).rejects.toThrow('matches nothing')
  await expect(edit('a')).rejects.toThrow('matches 3 times')
  await expect(edit('aa')).rejects.toThrow('matches 2 times')
  expect(await edit('$&', '$1$&\n')).toEqual({ edited: true, bytes: 13 })
  expect(stored('n.md')).toBe('aaa $1$&\n end')
  await expect(call(editFile, { path: 'x.md', find: 'a', replace: 'b' })).rejects.toThrow(
    'not permitted',
  )
})

test('edits nothing that is hidden, and never says whether a text is in there', async () => {
  const text = 'password=hunter2hunter2\nname=hunter\n'
  writeFileSync(path.join(root, 's.md'), text)
  const edit = (find: string, replace = '') => call(editFile, { path: 's.md', find, replace })
  for (const find of ['password=h', 'password=x', 'hunter2', 'hunter3', 'hunter2hunter2\nname']) {
    await expect(edit(find, find)).rejects.toThrow('matches nothing')
  }
  expect(await edit('hunter', 'ada')).toMatchObject({ edited: true })
  expect(stored('s.md')).toBe('password=hunter2hunter2\nname=ada\n')
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

test.each(all)(
  '$name has one spelling of a path, which rules are compared with',
  ({ schema }, args) => {
    for (const written of ['docs/a.md', './docs/a.md', '././docs/a.md/']) {
      const parsed = schema.safeParse({ workspace: 'handbook', ...args, path: written })
      expect(parsed.data).toMatchObject({ path: 'docs/a.md' })
    }
    const root = schema.safeParse({ workspace: 'handbook', ...args, path: '/' })
    expect(root.data).toMatchObject({ path: '/' })
  },
)

test('shows an approver the text before and the text after', async () => {
  const actor = { userId: 'u', email: 'a@example.org', role: 'admin' as const }
  const ids = { runId: 'r', configurationId: null, callId: 'c' }
  const context = { signal: new AbortController().signal, actor, ...ids }
  const looks = (tool: ToolDefinition) => {
    const { look } = bindTool(tool, () => ({ ...Object({}), workspaces: site }))
    return async (args: object) => {
      const input = { workspace: 'handbook', ...args }
      const now = await look?.read(input, context)
      return [now, look?.becomes?.(input, typeof now === 'object' ? null : now)]
    }
  }
  const edit = looks(editFile)
  const path = 'docs/a.md'
  expect(await edit({ path, find: 'two', replace: '2' })).toEqual(['two\n', '2\n'])
  expect(await edit({ path, find: 'three', replace: '3' })).toEqual(['two\n', null])
  expect(await edit({ path: 'new.md', find: 'a', replace: 'b' })).toEqual([null, null])
  const write = looks(writeFile)
  expect(await write({ path, content: 'new' })).toEqual(['two\n', 'new'])
  expect(await write({ path: 'new.md', content: 'new' })).toEqual([null, 'new'])
  await expect(write({ path: '.env', content: 'new' })).rejects.toThrow('not permitted')
})

test('the placeholder of a secret is never written over the secret, and a file that has the placeholder as text can be edited', async () => {
  writeFileSync(path.join(root, 'keys.md'), 'use sk-proj-abcdefghijklmnopqrstuvwxyz012345 here\n')
  const seen = String(await call(readFile, { path: 'keys.md' }))
  expect(seen).toContain('use [redacted] here')
  const content = 'use [redacted] here, and more\n'
  await expect(call(writeFile, { path: 'keys.md', content })).rejects.toThrow('Nothing was written')
  const edit = { path: 'keys.md', find: 'here', replace: '[redacted]' }
  await expect(call(editFile, edit)).rejects.toThrow('Nothing was written')
  expect(stored('keys.md')).toContain('sk-proj-abc')
  await call(editFile, { path: 'keys.md', find: 'here', replace: 'there' })
  expect(stored('keys.md')).toContain('2345 there')
  writeFileSync(path.join(root, 'words.md'), 'It says [redacted].')
  await call(writeFile, { path: 'words.md', content: 'It says "[redacted]".' })
  expect(stored('words.md')).toBe('It says "[redacted]".')
})

test('a long text that matches everywhere in what is hidden is looked for in a moment', async () => {
  const [begin, end] = ['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----']
  writeFileSync(
    path.join(root, 'key.txt'),
    `${begin}\r\n${'A'.repeat(900_000)}\r\n${end}\r\nlast\r\n`,
  )
  const edit = { path: 'key.txt', find: 'A'.repeat(100_000), replace: 'x' }
  await expect(call(editFile, edit)).rejects.toThrow('matches nothing that this file shows')
  await call(editFile, { path: 'key.txt', find: 'last', replace: 'end' })
  expect(stored('key.txt')).toContain('\r\nend\r\n')
})

test('a file with a NUL between its characters is no text, so that it hides no secret', async () => {
  const text = '\ufeffuse sk-proj-abcdefghijklmnopqrstuvwxyz012345 here\n'
  const wide = Buffer.from([...text].join('\0').concat('\0'), 'utf16le')
  for (const bytes of [wide, Buffer.from(wide).swap16()]) {
    writeFileSync(path.join(root, 'wide.txt'), bytes)
    await expect(call(readFile, { path: 'wide.txt' })).rejects.toThrow('This file is no text')
    expect(await leftOut(searchFilesText, { pattern: 'k' })).toContain('1 file (no text)')
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
