import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { lstat, opendir, readFile, unlink } from 'node:fs/promises'
import { codeOf, type Folder, pathIn } from './contained'
import { hashOf } from './text-file'

/** A file of a writer on another machine is left when it is older than this; a write takes far less. */
const longestWriteMs = 10 * 60_000
const mostNames = 20_000

/** `.toolgate-<where>-<process>-<its start>-<random>.tmp`. */
const pattern = /^\.toolgate-([0-9a-f]{12})-(\d+)-(\d+)-[0-9a-f]{16}\.tmp$/

/** Returns a name for a temporary file, which says which process writes it. Tools never see it. */
export async function temporaryName(): Promise<string> {
  const started = await startOf(process.pid)
  return `.toolgate-${here()}-${process.pid}-${started ?? 0}-${randomBytes(8).toString('hex')}.tmp`
}

/** Removes the temporary files of a folder whose writers have ended, where the server may. */
export async function removeLeftovers(folder: Folder): Promise<void> {
  let read = 0
  for await (const { name } of await opendir(pathIn(folder, '.'), { bufferSize: 256 })) {
    read += 1
    if (read > mostNames) return
    if (await isLeft(folder, name)) await unlink(pathIn(folder, name)).catch(() => undefined)
  }
}

async function isLeft(folder: Folder, name: string): Promise<boolean> {
  const [, where, pid, started] = pattern.exec(name) ?? []
  if (where === undefined) return false
  if (where === here()) return (await startOf(Number(pid))) !== started
  const stats = await lstat(pathIn(folder, name)).catch(ignoreMissing)
  return stats !== undefined && Date.now() - stats.mtimeMs > longestWriteMs
}

let known: string | undefined

/** Returns what tells this machine since its start, and this set of process numbers, from all others. */
function here(): string {
  known ??= hashOf(
    `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')} ${readlinkSync('/proc/self/ns/pid')}`,
  ).slice(0, 12)
  return known
}

/** Returns when a process started, in ticks since the start of the machine; undefined = none of this number runs. */
async function startOf(pid: number): Promise<string | undefined> {
  const facts = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  // The name in parentheses may have spaces and parentheses.
  const [state, ...rest] = facts.slice(facts.lastIndexOf(')') + 2).split(' ')
  // One that was killed keeps its number until its parent has asked how it ended.
  return state === 'Z' || state === 'X' ? undefined : rest[18]
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}
