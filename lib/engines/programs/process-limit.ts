import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Limits of the kernel on all processes of a command together. */
export type ProcessLimit = {
  /** Control groups that the command joins before it starts. */
  groups: readonly string[]
  /** The group counts processes. Otherwise the kernel counts those of the user, separately for each sandbox. */
  countsProcesses: boolean
  /** The group counts memory, including page cache, shared memory, files in memory and pipe buffers. */
  countsMemory: boolean
  /** Returns true when the kernel ended a process because the memory of the group was used up. */
  ranOut: () => Promise<boolean>
  close: () => Promise<void>
}

/** Paths of control groups of both versions; the second version has one path for everything. */
const places = {
  processes: '/sys/fs/cgroup/pids',
  memory: '/sys/fs/cgroup/memory',
  all: '/sys/fs/cgroup',
}
const prefix = `toolgate-${process.pid}-`

const tcpBytes = 64 * 1024 * 1024

type Most = { processes: number; memoryBytes: number }

/** Opens limits for one command. A server that is not root has no groups of its own. */
export async function openProcessLimit(most: Most): Promise<ProcessLimit> {
  if (process.getuid?.() !== 0) return ungrouped
  const name = `${prefix}${randomUUID()}`
  const processes = (place: string) =>
    openGroup(`${place}/${name}`, [{ file: 'pids.max', value: most.processes }])
  const counting = (await processes(places.processes)) ?? (await processes(places.all))
  const memory = await openMemory(name, most.memoryBytes)
  const groups = [...new Set([counting, memory].filter((group) => group !== null))]
  return {
    groups,
    countsProcesses: counting !== null,
    countsMemory: memory !== null,
    ranOut: async () => memory !== null && hasKilled(memory),
    close: async () => void (await Promise.all(groups.map(removeGroup))),
  }
}

const ungrouped: ProcessLimit = {
  groups: [],
  countsProcesses: false,
  countsMemory: false,
  ranOut: async () => false,
  close: async () => undefined,
}

/** Opens a group whose memory is limited, also that on disks for swapping; null = this server has none. */
async function openMemory(name: string, value: number): Promise<string | null> {
  const first = await openGroup(`${places.memory}/${name}`, [
    { file: 'memory.limit_in_bytes', value },
    { file: 'memory.swappiness', value: 0, isOptional: true },
    { file: 'memory.memsw.limit_in_bytes', value, isOptional: true },
    // Buffers of TCP are counted apart.
    { file: 'memory.kmem.tcp.limit_in_bytes', value: Math.min(value, tcpBytes), isOptional: true },
  ])
  return (
    first ??
    (await openGroup(`${places.all}/${name}`, [
      { file: 'memory.max', value },
      { file: 'memory.swap.max', value: 0, isOptional: true },
      { file: 'memory.oom.group', value: 1, isOptional: true },
    ]))
  )
}

type GroupFile = { file: string; value: number; isOptional?: boolean }

/** Makes a group, unless it exists, and writes its files; null = it cannot be limited in this way. */
async function openGroup(folder: string, files: readonly GroupFile[]): Promise<string | null> {
  const isNew = await mkdir(folder).then(
    () => true,
    (error) => (error.code === 'EEXIST' ? false : null),
  )
  if (isNew === null) return null
  for (const { file, value, isOptional } of files) {
    const isWritten = await write(`${folder}/${file}`, value)
    if (isWritten || isOptional || (await retried(folder, file, value))) continue
    if (isNew) await removeGroup(folder)
    return null
  }
  return folder
}

/** Tries again once the groups of the second version may use the controller, which refuses where the parent has processes. */
async function retried(folder: string, file: string, value: number): Promise<boolean> {
  const controller = file.slice(0, file.indexOf('.'))
  const isOpened = await write(`${places.all}/cgroup.subtree_control`, `+${controller}`)
  return isOpened && (await write(`${folder}/${file}`, value))
}

/** Writes a file of the kernel; false = there is no such file, or it refuses. */
function write(file: string, value: string | number): Promise<boolean> {
  // Without the flag of a new file: the kernel makes none.
  return writeFile(file, String(value), { flag: 'r+' }).then(
    () => true,
    () => false,
  )
}

async function hasKilled(folder: string): Promise<boolean> {
  const files = ['memory.oom_control', 'memory.events'].map((name) => `${folder}/${name}`)
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  return texts.some((text) => /^oom_kill [1-9]/m.test(text))
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
  for (const place of Object.values(places)) {
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
