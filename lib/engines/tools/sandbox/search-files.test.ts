import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { globTest, searchFiles } from './search-files'

let root: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'searched-')))
  write('a.md', 'one\ntwo (2)\n')
  write('docs/b.md', 'two\nthree')
  write('docs/deep/c.txt', 'two')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(place: string, content: string | Buffer): void {
  mkdirSync(path.dirname(path.join(root, place)), { recursive: true })
  writeFileSync(path.join(root, place), content)
}

const search = (input: Partial<Parameters<typeof searchFiles>[1]>, signal?: AbortSignal) =>
  searchFiles(
    root,
    { pattern: 'two', isExpression: false, path: '', glob: null, ...input },
    signal ?? new AbortController().signal,
  )

const places = async (input: Parameters<typeof search>[0]) =>
  (await search(input)).content.matches.map((match) => `${match.path}:${match.line}`)

test('finds lines in files of all folders, by a text or a pattern, below a path and by a glob', async () => {
  expect(await places({})).toEqual(['a.md:2', 'docs/b.md:1', 'docs/deep/c.txt:1'])
  expect(await places({ pattern: '(2)' })).toEqual(['a.md:2'])
  expect(await places({ pattern: '^t\\w+$', isExpression: true })).toEqual([
    'docs/b.md:1',
    'docs/b.md:2',
    'docs/deep/c.txt:1',
  ])
  expect(await places({ pattern: '[(^$]2[)]$|^one\\b', isExpression: true })).toEqual([
    'a.md:1',
    'a.md:2',
  ])
  expect(await places({ path: 'docs/deep' })).toEqual(['docs/deep/c.txt:1'])
  expect(await places({ glob: '*.md' })).toEqual(['a.md:2', 'docs/b.md:1'])
  expect(await places({ glob: 'docs/**' })).toEqual(['docs/b.md:1', 'docs/deep/c.txt:1'])
})

test('sees nothing that is hidden, linked or no text, and says what it left out', async () => {
  write('.env', 'two')
  write('.git/config', 'two')
  write('docs/server.key', 'two')
  write('image.png', Buffer.from('two\0two'))
  write('large.txt', Buffer.alloc(5 * 1024 * 1024 + 1, 'two\n'))
  symlinkSync('docs', path.join(root, 'linked'))
  symlinkSync('/etc', path.join(root, 'etc'))
  const { content, leftOut } = await search({})
  expect(content.matches).toHaveLength(3)
  expect(content.files).toBe(5)
  expect(leftOut.map(({ what, why }) => `${what}: ${why}`)).toEqual([
    '1 file: no text',
    '1 file: larger than 5 MiB, or than what is left of 20 MiB',
    '2 links: links are not followed',
    expect.stringMatching(/^3 names: most names with a dot/),
  ])
})

test('stops at 200 matches and at 20 MiB', async () => {
  write('many.txt', 'two\n'.repeat(500))
  const many = await search({ path: '' })
  expect(many.content.matches).toHaveLength(200)
  expect(many.leftOut).toMatchObject([{ why: 'it found 200 matches' }])
  for (const name of 'abcde') write(`${name}.bin.txt`, Buffer.alloc(5 * 1024 * 1024 - 1, 'x'))
  const [stop] = (await search({ pattern: 'nothing' })).leftOut
  expect(stop?.why).toBe('it has read 20 MiB')
})

test('a long line is compared to its first 2,000 characters, and shown to 300', async () => {
  write('long.txt', `${'x'.repeat(1_990)}HERE${'x'.repeat(1_000)}THERE`)
  const { content, leftOut } = await search({ pattern: 'HERE' })
  expect(content.matches[0]?.text).toHaveLength(300)
  expect(leftOut.map(({ what }) => what)).toEqual(['1 end of a line', '1 match'])
  expect(await places({ pattern: 'THERE' })).toEqual([])
})

test('refuses a pattern that cannot be matched in linear time, and one that takes too long', async () => {
  const bad = { isExpression: true }
  await expect(search({ ...bad, pattern: '(a)\\1' })).rejects.toMatchObject({
    code: 'invalid-pattern',
  })
  await expect(search({ ...bad, pattern: '(' })).rejects.toMatchObject({ code: 'invalid-pattern' })
  await expect(search({ ...bad, pattern: 'a{600}' })).rejects.toMatchObject({ code: 'too-much' })
})

test('lets other work of the server come between, and ends when the call is stopped', async () => {
  write('dense.txt', 'abababab\n'.repeat(550_000))
  const stopping = new AbortController()
  // A search that never lets others work ends before this.
  setTimeout(() => stopping.abort(new Error('stopped')), 15)
  const searching = search({ pattern: '[ab]+[cd]', isExpression: true }, stopping.signal)
  await expect(searching).rejects.toThrow('stopped')
})

describe('a glob', () => {
  it.each([
    ['*.md', 'a.md', true],
    ['*.md', 'docs/a.md', true],
    ['*.md', 'a.mdx', false],
    ['docs/*.md', 'docs/a.md', true],
    ['docs/*.md', 'docs/b/a.md', false],
    ['docs/**/*.md', 'docs/a.md', true],
    ['docs/**/*.md', 'docs/b/c/a.md', true],
    ['**/test/*', 'test/a', true],
    ['a?.txt', 'ab.txt', true],
    ['a?.txt', 'a.txt', false],
    ['[a].(b)+{1}|$^', '[a].(b)+{1}|$^', true],
    ['[a]', 'a', false],
  ])('%s takes %s: %s', (glob, at, isTaken) => {
    expect(globTest(glob)(at, at.split('/').at(-1) ?? '')).toBe(isTaken)
  })
})
