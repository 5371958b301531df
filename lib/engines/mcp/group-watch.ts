import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { mebibyte, ServerTrouble } from './server-address'

/** The most memory (RSS) that a server and what it starts may use together. */
const mostMemoryBytes = 1_024 * mebibyte
/** The most processor time within a minute: a little more than one core all the time. */
const mostCpuMs = 75_000
const minuteMs = 60_000
const everyMs = 2_000
/** Linux counts in these whatever the machine. */
const tickMs = 10
const pageBytes = 4_096

type Watched = { onTrouble: (trouble: ServerTrouble) => void; times: { at: number; cpu: number }[] }
type ProcessFacts = { pid: number; parent: number; group: number; cpuMs: number; bytes: number }

const watched = new Map<number, Watched>()
let timer: NodeJS.Timeout | null = null

/**
 * Watches the processes of a group and all that they started, by `/proc`; elsewhere than on Linux it sees nothing. Returns
 * how to stop.
 */
export function watchGroup(leader: number, onTrouble: Watched['onTrouble']): () => void {
  watched.set(leader, { onTrouble, times: [] })
  timer ??= setInterval(() => void look(), everyMs).unref()
  return () => {
    watched.delete(leader)
    if (watched.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
}

async function look(): Promise<void> {
  const all = await readProcesses()
  for (const [leader, { onTrouble, times }] of watched) {
    const { bytes, cpuMs } = usageOf(all, leader)
    if (bytes > mostMemoryBytes) {
      const used = Math.round(bytes / mebibyte)
      const words = `The server used ${used} MiB of memory and was stopped. At most ${mostMemoryBytes / mebibyte} MiB are allowed.`
      onTrouble(new ServerTrouble('too-much', words))
      continue
    }
    const at = Date.now()
    times.push({ at, cpu: cpuMs })
    while (times[1] && times[1].at <= at - minuteMs) times.shift()
    const [first] = times
    if (!first || cpuMs - first.cpu <= mostCpuMs) continue
    const words =
      'The server used more than one processor core for a minute and was stopped. Look at what it was asked to do.'
    onTrouble(new ServerTrouble('too-much', words))
  }
}

/** Returns what the group of a leader uses together with what it started and what left the group since. */
export function usageOf(all: readonly ProcessFacts[], leader: number) {
  const members = treeOf(all, leader)
  let [bytes, cpuMs] = [0, 0]
  for (const each of all) {
    if (!members.has(each.pid)) continue
    bytes += each.bytes
    cpuMs += each.cpuMs
  }
  return { bytes, cpuMs }
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
  for (const pid of [-leader, ...treeOf(readProcessesNow(), leader)]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It does not run any more.
    }
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
  const texts = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')),
  )
  return texts.flatMap((text) => factsOf(text) ?? [])
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
