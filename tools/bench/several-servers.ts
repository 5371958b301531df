import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import pLimit from 'p-limit'
import pg from 'pg'
import { addPerson } from '@/tests/support/people'
import { engineRun } from './engine-run'
import { noteLeast } from './goals'
import { requireLastWords } from './measure'
import { openEngine } from './open-engine'
import { number, printTable } from './print-table'
import { pagesPrompt } from './prompts'
import type { ModelProcess } from './start-model-process'
import { countStatements, cpuMsOf, ownCpuMs, readDatabaseUse } from './use'

/** Report of one process at the end of its runs. */
type Share = { runs: number; nodeMs: number; statements: number }

const rounds = 5
/** The runs at once in all processes together. */
const atOnce = 32
const workMs = 5_000
const runsToWarmUp = 60
const kilobyte = 1024

/** Makes runs in a process that was started for this alone, whenever its parent says so; false in any other. */
export async function serveShare([task, places]: readonly string[]): Promise<boolean> {
  if (task !== 'share') return false
  const statements = countStatements()
  const admin = await addPerson('admin')
  const engine = await openEngine()
  process.once('disconnect', () => void engine.close().finally(() => process.exit()))
  const limit = pLimit(Number(places))
  const run = async () => requireLastWords(await engineRun({ admin }, pagesPrompt(rounds)))
  await limit.map(Array(runsToWarmUp), run)
  const tell = (share: Share | 'ready') => process.send?.(share)
  const request = once(process, 'message')
  tell('ready')
  await request
  const before = { nodeMs: ownCpuMs(), statements: statements.count() }
  const endsAt = performance.now() + workMs
  let runs = 0
  const work = async () => {
    for (; performance.now() < endsAt; runs++) await run()
  }
  await Promise.all(Array.from({ length: Number(places) }, work))
  tell({
    runs,
    nodeMs: ownCpuMs() - before.nodeMs,
    statements: statements.count() - before.statements,
  })
  // Its parent lets it go.
  return new Promise(() => undefined)
}

/**
 * Prints what servers do together on one PostgreSQL: 1, 2 and 4 processes with an engine each, as many runs at once in
 * all of them. No other process may work on runs of this database.
 */
export async function printSeveralServers(databaseUrl: string, model: ModelProcess): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const rows: string[][] = []
  const rates: number[] = []
  try {
    for (const servers of [1, 2, 4]) {
      const { perSecond, ...perRun } = await together(servers, client, model)
      rates.push(perSecond)
      rows.push([String(servers), number(perSecond), ...Object.values(perRun).map(number)])
    }
  } finally {
    await client.end()
  }
  console.log(
    `\nSeveral servers on one PostgreSQL: runs of ${rounds} tool rounds, ${atOnce} at once\n`,
  )
  printTable(
    [
      'servers',
      'runs a second',
      'statements a run',
      'WAL KB a run',
      'CPU ms of Node',
      'CPU ms of PostgreSQL',
      'CPU ms of the model server',
    ],
    rows,
  )
  noteLeast('runs a second of 5 rounds, the most of 1, 2 and 4 servers', Math.max(...rates), 100)
}

/** Returns what so many servers did in a second, and what a run cost. */
async function together(servers: number, client: pg.Client, model: ModelProcess) {
  const children = Array.from({ length: servers }, () => startShare(atOnce / servers))
  try {
    await Promise.all(children.map((child) => messageOf<'ready'>(child)))
    const [before, modelBefore] = [await readDatabaseUse(client), cpuMsOf(model.pid)]
    const startedAt = performance.now()
    const shares = await Promise.all(
      children.map((child) => {
        child.send('go')
        return messageOf<Share>(child)
      }),
    )
    const seconds = (performance.now() - startedAt) / 1000
    const [after, modelAfter] = [await readDatabaseUse(client), cpuMsOf(model.pid)]
    const runs = sumOf(shares, 'runs')
    return {
      perSecond: runs / seconds,
      statements: sumOf(shares, 'statements') / runs,
      walKb: (after.walBytes - before.walBytes) / kilobyte / runs,
      nodeMs: sumOf(shares, 'nodeMs') / runs,
      postgresMs: (after.cpuMs - before.cpuMs) / runs,
      modelMs: (modelAfter - modelBefore) / runs,
    }
  } finally {
    await Promise.all(children.map(endShare))
  }
}

function startShare(places: number): ChildProcess {
  const options = { execArgv: ['--conditions=react-server'] }
  return fork(process.argv[1] ?? '', ['share', String(places)], options)
}

/** Resolves with what the process says next. Rejects when it ends first. */
async function messageOf<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`A process with an engine ended with ${status}.`)
  })
  const [message]: unknown[] = await Promise.race([once(child, 'message'), ended])
  // The process is this program, in the other role.
  return message as T
}

/** Lets the process end by itself, so that its last places are free before others begin. */
async function endShare(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  if (child.connected) child.disconnect()
  await gone
}

function sumOf(shares: readonly Share[], name: keyof Share): number {
  return shares.reduce((sum, share) => sum + share[name], 0)
}
