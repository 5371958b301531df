import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lockFolder } from './lock-folder'

const { signal } = new AbortController()
const folder = mkdtempSync(path.join(tmpdir(), 'lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('is opened again when the process that held it was killed', async () => {
  const open = await lockFolder({ folder, isAlone: true }, signal, () => undefined)
  const held = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], {
    encoding: 'utf8',
  })
  const [, pid] = new RegExp(`(\\d+) flock .*${folder}`).exec(held) ?? []
  process.kill(Number(pid), 'SIGKILL')
  await expect.poll(() => isRunning(Number(pid))).toBe(false)
  await open()
  const again = await lockFolder({ folder, isAlone: true }, signal, () => undefined)
  await again()
})

it('is shared by those that only read, and not with one that writes', async () => {
  const waits: string[] = []
  const lock = (name: string, isAlone: boolean) =>
    lockFolder({ folder, isAlone }, signal, () => waits.push(name))
  const readers = [await lock('first', false), await lock('second', false)]
  const writer = lock('writer', true)
  await expect.poll(() => waits).toEqual(['writer'])
  for (const open of readers) await open()
  await (await writer)()
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
