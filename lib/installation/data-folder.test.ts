import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepFile } from './data-folder'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-keep-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('writes once, for us alone, and keeps what is there', async () => {
  const file = path.join(folder, 'key')
  expect(await keepFile(file, () => 'first')).toBe('first')
  expect(await keepFile(file, () => 'second')).toBe('first')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('many at once agree on one text and leave no drafts', async () => {
  const file = path.join(folder, 'shared')
  const texts = await Promise.all(
    Array.from({ length: 20 }, (_, index) => keepFile(file, () => `text ${index}`)),
  )
  expect(new Set(texts).size).toBe(1)
  expect((await readdir(folder)).sort()).toEqual(['key', 'shared'])
})

test('a folder that is missing is an error, not a reason to make another secret', async () => {
  await expect(keepFile(path.join(folder, 'nowhere', 'key'), () => 'x')).rejects.toThrow('ENOENT')
})

test('an empty file is no secret, and is left as it is', async () => {
  const file = path.join(folder, 'emptied')
  await writeFile(file, '\n')
  await expect(keepFile(file, () => 'new')).rejects.toThrow(
    `There is nothing in ${file}: put back the file`,
  )
  expect(await readFile(file, 'utf8')).toBe('\n')
})
