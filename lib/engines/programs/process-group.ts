import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** Linux counts in these whatever the machine. */
const tickMs = 10
const pageBytes = 4_096

/** Limits of the processes of a group and all their children together. */
export type GroupLimits = {
  /** Resident memory. */
  memoryBytes: number
  /** Also counts shared memory that is not resident in any process, from what is mapped and from what the system has. */
  countsShared?: boolean
  /** Processor time within any `windowMs`. */
  cpuMs: number
  windowMs: number
  processes: number
  /** Poll interval. */
  everyMs: number
}

/** The limit that a group exceeded. */
export type Excess = { kind: 'memory' | 'cpu' | 'processes'; usage: GroupUsage }

export type GroupUsage = { bytes: number; cpuMs: number; processes: number }

type Watched = {
  limits: GroupLimits
  onExcess: (excess: Excess) => void
  times: { at: number; cpu: number }[]
  lookedAt: number
  /** The shared memory of the whole system when the watch began. */
  sharedBefore: number
}
type ProcessFacts = { pid: number; parent: number; group: number; cpuMs: number; bytes: number }

const watched = new Map<number, Watched>()
let timer: { everyMs: number; stop: () => void } | null = null

/**
 * Watches the processes of a group and all that they started, by `/proc`; elsewhere than on Linux it sees nothing. Returns
 * how to stop.
 */
export function watchGroup(
  leader: number,
  limits: GroupLimits,
  onExcess: Watched['onExcess'],
): () => void {
  const sharedBefore = limits.countsShared ? sharedIn(readNow('/proc/meminfo')) : 0
  const times = [{ at: Date.now(), cpu: 0 }]
  watched.set(leader, { limits, onExcess, times, lookedAt: 0, sharedBefore })
  keepTime()
  return () => {
    watched.delete(leader)
    keepTime()
  }
}

/** Looks as often as the group that wants it most. */
function keepTime(): void {
  const everyMs = Math.min(...[...watched.values()].map(({ limits }) => limits.everyMs))
  if (timer?.everyMs === everyMs) return
  timer?.stop()
  timer = null
  if (watched.size === 0) return
  const ticking = setInterval(() => void look(), everyMs).unref()
  timer = { everyMs, stop: () => clearInterval(ticking) }
}

let isLooking = false

async function look(): Promise<void> {
  if (isLooking) return
  isLooking = true
  try {
    const at = Date.now()
    const due = [...watched].filter(
      ([, { limits, lookedAt }]) => at - lookedAt >= limits.everyMs / 2,
    )
    if (due.length === 0) return
    const all = await readProcesses()
    for (const [leader, each] of due) {
      each.lookedAt = at
      const usage = usageOf(all, leader)
      if (each.limits.countsShared) {
        const held = await heldBy(treeOf(all, leader), each.sharedBefore)
        usage.bytes = Math.max(usage.bytes, held)
      }
      const excess = excessOf(each, usage, at)
      if (excess && watched.has(leader)) each.onExcess(excess)
    }
  } finally {
    isLooking = false
  }
}

function excessOf({ limits, times }: Watched, usage: GroupUsage, at: number): Excess | null {
  if (usage.processes > limits.processes) return { kind: 'processes', usage }
  if (usage.bytes > limits.memoryBytes) return { kind: 'memory', usage }
  times.push({ at, cpu: usage.cpuMs })
  while (times[1] && times[1].at <= at - limits.windowMs) times.shift()
  const [first] = times
  return first && usage.cpuMs - first.cpu > limits.cpuMs ? { kind: 'cpu', usage } : null
}

/** Returns what the group of a leader uses together with what it started and what left the group since. */
export function usageOf(all: readonly ProcessFacts[], leader: number): GroupUsage {
  const members = treeOf(all, leader)
  let [bytes, cpuMs, processes] = [0, 0, 0]
  for (const each of all) {
    if (!members.has(each.pid)) continue
    bytes += each.bytes
    cpuMs += each.cpuMs
    processes += 1
  }
  return { bytes, cpuMs, processes }
}

/** Mappings of memory that has no file: shared by a parent with its children, by descriptor, or by key. */
const sharedMapping =
  /^([0-9a-f]+)-([0-9a-f]+) .{3}s \S+ (\S+ \d+) +(?:\/dev\/zero|\/memfd:|\/SYSV)/gm

/**
 * Returns the memory of processes with all that they share. Such memory stays whole while a part of it is mapped, so what the
 * system has more of since the watch began counts for those that map any.
 */
async function heldBy(pids: ReadonlySet<number>, sharedBefore: number): Promise<number> {
  const mapped = new Map<string, number>()
  let own = 0
  for (const pid of pids) {
    const [, resident = 0, common = 0] = (await readText(`/proc/${pid}/statm`))
      .split(' ')
      .map(Number)
    own += (resident - common) * pageBytes
    for (const [, from, to, file = ''] of (await readText(`/proc/${pid}/maps`)).matchAll(
      sharedMapping,
    )) {
      const bytes = Number(`0x${to}`) - Number(`0x${from}`)
      mapped.set(file, Math.max(bytes, mapped.get(file) ?? 0))
    }
  }
  if (mapped.size === 0) return own
  const grown = sharedIn(await readText('/proc/meminfo')) - sharedBefore
  return (
    own +
    Math.max(
      grown,
      [...mapped.values()].reduce((sum, bytes) => sum + bytes, 0),
    )
  )
}

function sharedIn(meminfo: string): number {
  return Number(/^Shmem: +(\d+) kB$/m.exec(meminfo)?.[1] ?? 0) * 1_024
}

/** Returns the processes of a group and all that they started. */
export async function processesOf(leader: number): Promise<number[]> {
  return [...treeOf(await readProcesses(), leader)]
}

function treeOf(all: readonly ProcessFacts[], leader: number): ReadonlySet<number> {
  const members = new Set(all.filter(({ group }) => group === leader).map(({ pid }) => pid))
  members.add(leader)
  let before = 0
  while (members.size > before) {
    before = members.size
    for (const { pid, parent } of all) if (members.has(parent)) members.add(pid)
  }
  return members
}

/** Ends the processes of a group and all that they started, also what left the group, as far as that can be seen. */
export function endGroup(leader: number): void {
  // First the group, with which its sandbox ends: whoever starts processes without end would go on while others are read.
  end(-leader)
  for (const pid of treeOf(readProcessesNow(), leader)) end(pid)
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It does not run any more.
  }
}

function readProcessesNow(): ProcessFacts[] {
  try {
    return processIds(readdirSync('/proc')).flatMap(
      (id) => factsOf(readNow(`/proc/${id}/stat`)) ?? [],
    )
  } catch {
    return []
  }
}

function readNow(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function processIds(names: readonly string[]): string[] {
  return names.filter((name) => /^\d+$/.test(name))
}

async function readProcesses(): Promise<ProcessFacts[]> {
  const names = await readdir('/proc').catch(() => [])
  const ids = processIds(names)
  const texts = await Promise.all(ids.map((id) => readText(`/proc/${id}/stat`)))
  return texts.flatMap((text) => factsOf(text) ?? [])
}

function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}

/** Reads a line of `/proc/PID/stat`. The name of the program, in brackets, may have spaces and brackets of its own. */
function factsOf(text: string): ProcessFacts | null {
  const [, pid, rest] = /^(\d+) \(.*\) \S (.*)$/s.exec(text) ?? []
  const fields = (rest ?? '').split(' ').map(Number)
  const [parent, group, user, system, pages] = [0, 1, 10, 11, 20].map((place) => fields[place])
  if (pid === undefined || parent === undefined || group === undefined) return null
  const cpuMs = ((user ?? 0) + (system ?? 0)) * tickMs
  return { pid: Number(pid), parent, group, cpuMs, bytes: (pages ?? 0) * pageBytes }
}
