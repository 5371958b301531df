import { readFile } from 'node:fs/promises'

/** Returns the MiB that a process and those that it started have in memory at this moment. Needs Linux. */
export async function residentMemory(pid: number): Promise<{ own: number; started: number }> {
  const started = await Promise.all((await childrenOf(pid)).map(residentOf))
  return { own: await residentOf(pid), started: started.reduce((sum, each) => sum + each, 0) }
}

async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return list.split(' ').filter(Boolean).map(Number)
}

/** Returns the MiB of one process; one that has just ended has nothing. */
async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024
}
