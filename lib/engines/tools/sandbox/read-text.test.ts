import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageOf, readPage } from './read-text'

let root: string

beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'read-')))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test.each([
  ['a\nb\nc\n', 1, 10, { text: 'a\nb\nc', first: 1, last: 3, lines: 3 }],
  ['a\nb\nc', 2, 1, { text: 'b', first: 2, last: 2, lines: 3 }],
  ['a\n\n', 2, 5, { text: '', first: 2, last: 2, lines: 2 }],
  ['a', 5, 5, { text: '', first: 5, last: 4, lines: 1 }],
  ['', 1, 5, { text: '', first: 1, last: 0, lines: 0 }],
])('of %j, from line %i, %i lines', (text, start, lines, page) => {
  expect(pageOf(text, start, lines)).toEqual({ ...page, isCut: false, secrets: [] })
})

test('ends before the line that would be too much, and cuts a line that is too long by itself', () => {
  const line = 'x'.repeat(99_000)
  expect(pageOf(`${line}\n${line}\n${line}`, 1, 3)).toMatchObject({ last: 2, lines: 3 })
  const long = pageOf('😀'.repeat(150_000), 1, 1)
  expect(long).toMatchObject({ isCut: true, last: 1 })
  expect(long.text).toHaveLength(200_000)
})

test('says what is no text, and what is larger than it reads', async () => {
  const files = {
    'image.png': [0x89, 0],
    'controls.txt': [0x61, 0xe4, 0x1b],
    'half.txt': [0xff, 0xfe, 0x61],
  }
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(path.join(root, name), Buffer.from(bytes))
    const reading = readPage(root, name, { start: 1, lines: 1 })
    await expect(reading).rejects.toMatchObject({ code: 'binary' })
  }
  writeFileSync(path.join(root, 'large.txt'), Buffer.alloc(10 * 1024 * 1024 + 1, 'a'))
  const reading = readPage(root, 'large.txt', { start: 1, lines: 1 })
  await expect(reading).rejects.toMatchObject({ code: 'too-large' })
})
