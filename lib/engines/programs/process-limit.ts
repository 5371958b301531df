import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rmdir, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How the kernel limits the processes of a command. `user`: by the user, whose processes it counts apart in a sandbox. `group`:
 * by a control group, where this server may make one.
 */
export type ProcessLimit =
  | { kind: 'user'; close: () => Promise<void> }
  | { kind: 'group'; folder: string; close: () => Promise<void> }

/** Where control groups are that count processes: of the first version of them, and of the second. */
const places = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup']
const prefix = `toolgate-${process.pid}-`

/** Opens a limit for one command. */
export async function openProcessLimit(most: number): Promise<ProcessLimit> {
  const byUser: ProcessLimit = { kind: 'user', close: async () => undefined }
  if (process.getuid?.() !== 0) return byUser
  for (const place of places) {
    const folder = `${place}/${prefix}${randomUUID()}`
    try {
      await mkdir(folder)
    } catch {
      continue
    }
    try {
      await writeFile(`${folder}/pids.max`, String(most))
      return { kind: 'group', folder, close: () => removeGroup(folder) }
    } catch {
      await removeGroup(folder)
    }
  }
  return byUser
}

/** Removes a control group once its last process has ended. What a killed server left is removed by the next one. */
async function removeGroup(folder: string): Promise<void> {
  for (let time = 0; time < 20; time += 1) {
    try {
      return await rmdir(folder)
    } catch {
      await sleep(50, undefined, { ref: false })
    }
  }
}

/** Removes the control groups of servers that have ended. */
export async function removeLeftGroups(): Promise<void> {
  for (const place of places) {
    const names = await readdir(place).catch(() => [])
    for (const name of names) {
      const [, pid] = /^toolgate-(\d+)-/.exec(name) ?? []
      if (pid !== undefined && !isAlive(Number(pid)))
        await rmdir(`${place}/${name}`).catch(() => {})
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
