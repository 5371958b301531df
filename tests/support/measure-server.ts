import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StandaloneServer } from './standalone-server'

/** The most MiB that a server used beyond what it used before, and how long its slowest answer took. */
export type Measured = { moreMebibytes: number; answerMs: number }

const betweenMs = 20

/** Asks a server all the time whether it is ready while `work` is done. Rejects when it once is not. Needs Linux. */
export async function measureServer(
  { baseUrl, process: { pid } }: StandaloneServer,
  work: () => Promise<unknown>,
): Promise<Measured> {
  const memory = async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
  }
  const before = await memory()
  let [most, answerMs] = [before, 0]
  let isDone = false
  const working = work()
  const end = () => {
    isDone = true
  }
  working.then(end, end)
  while (!isDone) {
    const asked = performance.now()
    const { status } = await fetch(`${baseUrl}/api/ready`)
    answerMs = Math.max(answerMs, performance.now() - asked)
    if (status !== 200) throw new Error(`/api/ready answered ${status}.`)
    most = Math.max(most, await memory())
    await sleep(betweenMs)
  }
  await working
  return { moreMebibytes: Math.round(most - before), answerMs: Math.round(answerMs) }
}
