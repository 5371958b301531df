import { setTimeout as sleep } from 'node:timers/promises'
import { residentMemory } from './resident-memory'
import type { StandaloneServer } from './standalone-server'

/**
 * The most MiB that a server used beyond what it used before, those that the processes which it started used beyond theirs, and
 * how long its slowest answer took.
 */
type Measured = { moreMebibytes: number; startedMebibytes: number; answerMs: number }

const betweenMs = 20

/** Asks a server all the time whether it is ready while `work` is done. Rejects when it once is not. Needs Linux. */
async function measureServer(
  { baseUrl, process: { pid } }: StandaloneServer,
  work: () => Promise<unknown>,
): Promise<Measured> {
  if (pid === undefined) throw new Error('The server does not run.')
  const before = await residentMemory(pid)
  const most = { ...before }
  let answerMs = 0
  let isDone = false
  const working = work()
  const end = () => {
    isDone = true
  }
  working.then(end, end)
  while (!isDone) {
    const request = performance.now()
    const { status } = await fetch(`${baseUrl}/api/ready`)
    answerMs = Math.max(answerMs, performance.now() - request)
    if (status !== 200) throw new Error(`/api/ready answered ${status}.`)
    const now = await residentMemory(pid)
    most.own = Math.max(most.own, now.own)
    most.started = Math.max(most.started, now.started)
    await sleep(betweenMs)
  }
  await working
  return {
    moreMebibytes: Math.round(most.own - before.own),
    startedMebibytes: Math.round(most.started - before.started),
    answerMs: Math.round(answerMs),
  }
}

/** Limits for the cost of a hostile server. */
const most = { moreMebibytes: 100, answerMs: 250 }

/** Something hostile that happens to a server, in full. */
type Attack = { name: string; run: () => Promise<unknown> }

/**
 * Measures what attacks cost a server, one after the other, and prints it. Returns those that cost more than they may. Each is
 * measured up to three times, because what else the machine does is no fault of the server.
 */
export async function tooCostly(
  server: StandaloneServer,
  attacks: readonly Attack[],
): Promise<(Measured & { name: string })[]> {
  const tooMuch = []
  for (const { name, run } of attacks) {
    let figures = await measureServer(server, run)
    for (let more = 2; more > 0 && isTooMuch(figures); more--) {
      figures = await measureServer(server, run)
    }
    const { moreMebibytes, startedMebibytes, answerMs } = figures
    console.log(
      `${name}: ${moreMebibytes} MiB more memory (${startedMebibytes} in processes of its own), answers within ${answerMs} ms`,
    )
    if (isTooMuch(figures)) tooMuch.push({ name, ...figures })
  }
  return tooMuch
}

function isTooMuch({ moreMebibytes, answerMs }: Measured): boolean {
  return moreMebibytes > most.moreMebibytes || answerMs > most.answerMs
}
