import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
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
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startSwapping } from '@/tests/support/start-swapping'
import { readBytes, withFile, withFolder } from './contained'
import { partsOf } from './workspace-path'
import { replaceFile } from './write-file'

let outside: string
let root: string

beforeEach(() => {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'contained-')))
  outside = path.join(base, 'outside')
  root = path.join(base, 'inside')
  for (const folder of [outside, root]) {
    mkdirSync(path.join(folder, 'docs/deep'), { recursive: true })
    for (const place of ['a.txt', 'docs/a.txt', 'docs/deep/a.txt']) {
      writeFileSync(path.join(folder, place), path.basename(folder))
    }
  }
})
afterEach(() => rmSync(path.dirname(root), { recursive: true, force: true }))

const neutral = { code: 'not-found', message: 'File or folder not found or not permitted.' }

function read(at: string): Promise<string | undefined> {
  const parts = partsOf(at)
  const name = parts.pop() ?? ''
  return withFolder(root, parts, (folder) =>
    withFile(folder, name, async (file) => (await readBytes(file, 1_000))?.toString()),
  )
}

test('reads regular files in folders, and no more than it may', async () => {
  expect(await read('docs/deep/a.txt')).toBe('inside')
  writeFileSync(path.join(root, 'long.txt'), 'x'.repeat(1_001))
  expect(await read('long.txt')).toBeUndefined()
})

test('follows no link, in no place of a path, and opens no folder, fifo, socket or device', async () => {
  symlinkSync(path.join(outside, 'a.txt'), path.join(root, 'link.txt'))
  symlinkSync('a.txt', path.join(root, 'own.txt'))
  symlinkSync(outside, path.join(root, 'linked'))
  symlinkSync(outside, path.join(root, 'docs/linked'))
  symlinkSync('/dev/zero', path.join(root, 'zero'))
  const server = createServer().listen(path.join(root, 'socket'))
  await once(server, 'listening')
  const [code] = await once(spawn('mkfifo', [path.join(root, 'fifo')]), 'exit')
  expect(code).toBe(0)
  for (const at of [
    'link.txt',
    'own.txt',
    'linked/a.txt',
    'docs/linked/a.txt',
    'zero',
    'docs',
    'socket',
    'fifo',
    'a.txt/a.txt',
    'missing',
    'missing/a.txt',
  ]) {
    await expect(read(at), at).rejects.toMatchObject(neutral)
  }
  server.close()
})

test('a folder that is mounted inside counts as outside', async () => {
  // The files of /proc are on a mount of their own below "/".
  const reading = withFolder('/', [], (folder) =>
    withFile({ ...folder, mount: 'another' }, 'etc', async () => undefined),
  )
  await expect(reading).rejects.toMatchObject(neutral)
  await expect(withFolder('/', ['proc'], async () => undefined)).rejects.toMatchObject(neutral)
})

test('a workspace whose folder became a link, or is gone, has nothing', async () => {
  const moved = `${root}-moved`
  renameSync(root, moved)
  await expect(read('a.txt')).rejects.toMatchObject(neutral)
  symlinkSync(outside, root)
  await expect(read('a.txt')).rejects.toMatchObject(neutral)
  rmSync(root)
  renameSync(moved, root)
  expect(await read('a.txt')).toBe('inside')
})

test('reads a file with a second name, which only writing refuses', async () => {
  linkSync(path.join(root, 'a.txt'), path.join(root, 'b.txt'))
  expect(await read('b.txt')).toBe('inside')
})

test('writes while another process swaps folders for links: none leads out', async () => {
  const place = 'docs/deep/a.txt'
  // The same text, so that nothing but the way there tells the two files apart.
  writeFileSync(path.join(outside, place), 'inside')
  const { ino } = statSync(path.join(outside, place))
  const stop = await startSwapping(root, outside, ['docs', 'docs/deep'])
  let written = 0
  for (let n = 0; n < 300; n += 1) {
    try {
      await replaceFile({ root, path: place }, { expected: 'inside', text: 'inside' })
      written += 1
    } catch (error) {
      expect(error).toMatchObject({
        code: expect.stringMatching(/^(not-found|changed-meanwhile)$/),
      })
    }
  }
  await stop()
  expect(written).toBeGreaterThan(0)
  // A write puts another file in the place of the old one.
  expect(statSync(path.join(outside, place)).ino).toBe(ino)
  for (const folder of [outside, root]) {
    expect(readdirSync(path.join(folder, 'docs/deep'))).toEqual(['a.txt'])
    expect(readFileSync(path.join(folder, place), 'utf8')).toBe('inside')
  }
}, 120_000)

test('10,000 reads while another process swaps folders and files for links: none leads out', async () => {
  const stop = await startSwapping(root, outside, ['docs', 'docs/deep', 'docs/deep/a.txt'])
  const counts = { inside: 0, refused: 0, outside: 0 }
  const tries = Array.from({ length: 16 }, async () => {
    for (let n = 0; n < 625; n += 1) {
      const text = await read('docs/deep/a.txt').catch((error) => {
        expect(error).toMatchObject(neutral)
        return 'refused' as const
      })
      if (text === 'inside' || text === 'refused') counts[text] += 1
      else counts.outside += 1
    }
  })
  await Promise.all(tries)
  await stop()
  expect(counts.outside).toBe(0)
  expect(counts.inside + counts.refused).toBe(10_000)
  // The race was one: some reads met the folder, and some the link.
  expect(counts.inside).toBeGreaterThan(100)
  expect(counts.refused).toBeGreaterThan(100)
}, 120_000)
