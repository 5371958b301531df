import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { workspaceFolder } from '@/tests/support/workspace-folder'
import { clearSetIdFiles } from './set-id-files'

let folder: string
let root: string
beforeEach(() => {
  folder = workspaceFolder('set-id')
  root = path.join(folder, 'workspace')
  mkdirSync(path.join(root, 'deep/er'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function file(place: string, mode: number): string {
  const whole = path.join(folder, place)
  writeFileSync(whole, 'x')
  chmodSync(whole, mode)
  return whole
}
const modeOf = (whole: string) => lstatSync(whole).mode & 0o7777

it('takes set-id bits from the files of a workspace, at any depth and under any name, and leaves the rest', async () => {
  const [one, two] = [file('workspace/a b\nc', 0o6755), file('workspace/deep/er/.x', 0o2710)]
  const plain = file('workspace/plain', 0o1644)
  expect(await clearSetIdFiles(root)).toBe(2)
  expect([modeOf(one), modeOf(two), modeOf(plain)]).toEqual([0o755, 0o710, 0o1644])
  expect(await clearSetIdFiles(root)).toBe(0)
})

it('follows no link, and leaves what is outside', async () => {
  const outside = file('outside', 0o4755)
  symlinkSync(outside, path.join(root, 'link'))
  symlinkSync(folder, path.join(root, 'way-out'))
  expect(await clearSetIdFiles(root)).toBe(0)
  expect(modeOf(outside)).toBe(0o4755)
})

it.skipIf(process.getuid?.() !== 0)('leaves a file of root that has a name elsewhere', async () => {
  const { execFileSync } = await import('node:child_process')
  const outside = file('outside', 0o4755)
  linkSync(outside, path.join(root, 'name'))
  execFileSync('chown', ['4242', root])
  await clearSetIdFiles(root)
  expect(modeOf(outside)).toBe(0o4755)
})

it('touches no file outside while folders are exchanged for links', async () => {
  mkdirSync(path.join(folder, 'target'))
  const outside = file('target/x', 0o4755)
  const [real, aside] = [path.join(root, 'deep'), path.join(root, 'aside')]
  let isOver = false
  const exchanging = (async () => {
    while (!isOver) {
      renameSync(real, aside)
      symlinkSync(path.join(folder, 'target'), real)
      await new Promise(setImmediate)
      rmSync(real)
      renameSync(aside, real)
      await new Promise(setImmediate)
    }
  })()
  for (let time = 0; time < 60; time += 1) {
    await clearSetIdFiles(root)
    expect(modeOf(outside)).toBe(0o4755)
  }
  isOver = true
  await exchanging
})
