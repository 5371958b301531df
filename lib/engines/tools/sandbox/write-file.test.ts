import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withFolder } from './contained'
import { removeLeftovers, temporaryName } from './leftovers'
import { mostWrittenBytes, readBeforeWrite, replaceFile } from './write-file'

let base: string
let root: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'written-')))
  root = path.join(base, 'inside')
  mkdirSync(path.join(root, 'docs'), { recursive: true })
  writeFileSync(path.join(root, 'docs/a.txt'), 'old')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const at = (place: string) => ({ root, path: place })
const stored = (place: string) => readFileSync(path.join(root, place), 'utf8')
const neutral = { code: 'not-found', message: 'File or folder not found or not permitted.' }

test('writes over a file, keeps its mode, makes a new one, and deletes one', async () => {
  chmodSync(path.join(root, 'docs/a.txt'), 0o640)
  await replaceFile(at('docs/a.txt'), { expected: 'old', text: 'new' })
  expect(stored('docs/a.txt')).toBe('new')
  expect(statSync(path.join(root, 'docs/a.txt')).mode & 0o777).toBe(0o640)
  await replaceFile(at('docs/b.txt'), { expected: null, text: 'b' })
  expect(statSync(path.join(root, 'docs/b.txt')).mode & 0o777).toBe(0o644)
  await replaceFile(at('docs/b.txt'), { expected: 'b', text: null })
  expect(readdirSync(path.join(root, 'docs'))).toEqual(['a.txt'])
})

test.skipIf(process.getuid?.() !== 0)(
  'as root, a new file belongs to the owner of the workspace, and one that is written over to its own',
  async () => {
    chownSync(root, 4242, 4243)
    chownSync(path.join(root, 'docs/a.txt'), 4244, 4245)
    await replaceFile(at('docs/a.txt'), { expected: 'old', text: 'new' })
    await replaceFile(at('docs/b.txt'), { expected: null, text: 'b' })
    expect(statSync(path.join(root, 'docs/a.txt'))).toMatchObject({ uid: 4244, gid: 4245 })
    expect(statSync(path.join(root, 'docs/b.txt'))).toMatchObject({ uid: 4242, gid: 4243 })
  },
)

test('writes nothing when something else is there than was expected, also in the last moment', async () => {
  const refused = { code: 'changed-meanwhile' }
  const old = { expected: 'other', text: 'new' }
  await expect(replaceFile(at('docs/a.txt'), old)).rejects.toMatchObject(refused)
  const none = { expected: null, text: 'new' }
  await expect(replaceFile(at('docs/a.txt'), none)).rejects.toMatchObject(refused)
  const late = async (change: () => void) => {
    const input = { expected: stored('docs/a.txt'), text: 'new' }
    const writing = replaceFile(at('docs/a.txt'), input, async () => change())
    await expect(writing).rejects.toMatchObject(refused)
  }
  await late(() => writeFileSync(path.join(root, 'docs/a.txt'), 'dlo'))
  await late(() => {
    writeFileSync(path.join(base, 'other'), 'old')
    renameSync(path.join(base, 'other'), path.join(root, 'docs/a.txt'))
  })
  await late(() => rmSync(path.join(root, 'docs/a.txt')))
  expect(readdirSync(path.join(root, 'docs'))).toEqual([])
})

test('does not follow a folder that is moved out, or a link that takes the place of the file', async () => {
  const input = { expected: 'old', text: 'new' }
  const moved = replaceFile(at('docs/a.txt'), input, async () => {
    renameSync(path.join(root, 'docs'), path.join(base, 'docs'))
    symlinkSync(path.join(base, 'docs'), path.join(root, 'docs'))
  })
  await expect(moved).rejects.toMatchObject(neutral)
  expect(readdirSync(path.join(base, 'docs'))).toEqual(['a.txt'])
  expect(readFileSync(path.join(base, 'docs/a.txt'), 'utf8')).toBe('old')
  writeFileSync(path.join(root, 'b.txt'), 'old')
  const linked = replaceFile(at('b.txt'), input, async () => {
    rmSync(path.join(root, 'b.txt'))
    symlinkSync(path.join(base, 'docs/a.txt'), path.join(root, 'b.txt'))
  })
  await expect(linked).rejects.toMatchObject(neutral)
  expect(readFileSync(path.join(base, 'docs/a.txt'), 'utf8')).toBe('old')
})

test('writes no file that has a second name, that is a link or a folder, and none that it may not see', async () => {
  linkSync(path.join(root, 'docs/a.txt'), path.join(root, 'docs/second.txt'))
  symlinkSync('a.txt', path.join(root, 'docs/link.txt'))
  for (const place of [
    'docs/a.txt',
    'docs/second.txt',
    'docs/link.txt',
    'docs',
    '',
    'missing/a.txt',
    '.env',
    '.gitignore',
    '.github/ci.yml',
    'docs/server.pem',
    '../a.txt',
    '/etc/hosts',
  ]) {
    await expect(readBeforeWrite(at(place)), place).rejects.toMatchObject(neutral)
    const writing = replaceFile(at(place), { expected: null, text: 'x' })
    await expect(writing, place).rejects.toMatchObject(neutral)
  }
  expect(stored('docs/a.txt')).toBe('old')
})

test('writes 1 MiB and no more, and over no file that is larger or no text', async () => {
  const most = 'x'.repeat(mostWrittenBytes)
  await replaceFile(at('docs/a.txt'), { expected: 'old', text: most })
  const more = { expected: most, text: `${most}x` }
  await expect(replaceFile(at('docs/a.txt'), more)).rejects.toMatchObject({ code: 'too-large' })
  writeFileSync(path.join(root, 'large.txt'), `${most}x`)
  await expect(readBeforeWrite(at('large.txt'))).rejects.toMatchObject({ code: 'too-large' })
  writeFileSync(path.join(root, 'image.png'), Buffer.from([0x89, 0x50, 0, 1]))
  await expect(readBeforeWrite(at('image.png'))).rejects.toMatchObject({ code: 'binary' })
})

test('leaves nothing behind when what is to be kept first cannot be kept', async () => {
  const writing = replaceFile(at('docs/a.txt'), { expected: 'old', text: 'new' }, () =>
    Promise.reject(new Error('The database is away.')),
  )
  await expect(writing).rejects.toThrow('The database is away.')
  expect(readdirSync(path.join(root, 'docs'))).toEqual(['a.txt'])
  expect(stored('docs/a.txt')).toBe('old')
})

test('removes temporary files of writers that have ended, and no others', async () => {
  const mine = await temporaryName()
  const dead = mine.replace(`-${process.pid}-`, '-4194304-')
  const reused = mine.replace(/-(\d+)-(\d+)-/, '-$1-1-')
  const elsewhere = mine.replace(/^\.toolgate-[0-9a-f]{12}/, '.toolgate-000000000000')
  const old = elsewhere.replace(/[0-9a-f]{16}\.tmp$/, '0000000000000000.tmp')
  for (const name of [mine, dead, reused, elsewhere, old, '.toolgate.tmp']) {
    writeFileSync(path.join(root, name), '')
  }
  utimesSync(path.join(root, old), 1, 1)
  await withFolder(root, [], removeLeftovers)
  expect(readdirSync(root).sort()).toEqual(['.toolgate.tmp', 'docs', mine, elsewhere].sort())
})

test('kill -9 in the middle of a write leaves the old or the new text, and the next write tidies up', async () => {
  const texts = ['a', 'b'].map((letter) => letter.repeat(900_000))
  const seen = new Set<string>()
  for (const waits of [0, 3, 7, 12]) {
    writeFileSync(path.join(root, 'docs/a.txt'), 'a'.repeat(900_000))
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', 'tests/support/write-until-killed.ts', root, 'docs/a.txt'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await once(child.stdout, 'data')
    await new Promise((done) => setTimeout(done, waits))
    child.kill('SIGKILL')
    await once(child, 'exit')
    const text = stored('docs/a.txt')
    expect(texts.includes(text)).toBe(true)
    for (const name of readdirSync(path.join(root, 'docs'))) seen.add(name.replace(/\d.*/, ''))
    await replaceFile(at('docs/a.txt'), { expected: text, text: 'whole' })
    expect(readdirSync(path.join(root, 'docs'))).toEqual(['a.txt'])
  }
  expect([...seen]).toContain('a.txt')
}, 60_000)
