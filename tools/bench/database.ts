import { setTimeout as wait } from 'node:timers/promises'
import pLimit from 'p-limit'
import pg from 'pg'
import { noteGoal } from './goals'
import type { Loop } from './measure'
import { number, printTable } from './print-table'
import { pagesPrompt } from './prompts'
import { type CountedStatements, countStatements, ownCpuMs, readDatabaseUse } from './use'

/** Cost of a run for the database, and for this process beside it. */
type Use = { nodeMs: number; postgresMs: number; statements: number; walBytes: number }

const kilobyte = 1024
/** Whole rounds of what an idle server does. */
const idleMs = 24_000

/**
 * Prints what a run through the engine costs PostgreSQL: the CPU of all its processes (also of those that ended), the
 * statements that this process sends, and what it writes to its log. CPU is read from /proc, so it is missing elsewhere.
 */
export async function printDatabase(databaseUrl: string, engine: Loop): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const statements = countStatements(client)
  const rows: string[][] = []
  const used = new Map<string, Use>()
  let idle = Number.NaN
  try {
    for (const [rounds, atOnce, times] of plans) {
      const prompt = pagesPrompt(rounds)
      await repeat(engine, prompt, atOnce, atOnce)
      const before = await readUse(client, statements)
      await repeat(engine, prompt, times, atOnce)
      const after = await readUse(client, statements)
      const use = perRun(before, after, times)
      used.set(`${rounds}/${atOnce}`, use)
      rows.push([
        `${rounds} tool rounds, ${atOnce} at once`,
        number(use.nodeMs),
        number(use.postgresMs),
        number(use.statements),
        number(use.walBytes / kilobyte),
      ])
    }
    const before = statements.count()
    await wait(idleMs)
    idle = ((statements.count() - before) / idleMs) * 1000
  } finally {
    statements.stop()
    await client.end()
  }
  console.log('\nWhat a run through the engine costs PostgreSQL\n')
  printTable(['runs', 'CPU ms of Node', 'CPU ms of PostgreSQL', 'statements', 'WAL KB'], rows)
  noteGoal('statements a second of an idle server', idle, 2, '')
  const short = used.get('5/1')
  const long = used.get('25/1')
  if (!short || !long) return
  noteGoal('statements of a run of 5 rounds', short.statements, 20, '')
  noteGoal('statements of a further round', (long.statements - short.statements) / 20, 2, '')
}

const plans = [
  [5, 1, 40],
  [25, 1, 16],
  [5, 16, 96],
  [5, 128, 256],
] as const

function repeat(engine: Loop, prompt: string, times: number, atOnce: number): Promise<unknown> {
  return pLimit(atOnce).map(Array(times), () => engine(prompt))
}

async function readUse(client: pg.Client, statements: CountedStatements): Promise<Use> {
  const { cpuMs, walBytes } = await readDatabaseUse(client)
  return { nodeMs: ownCpuMs(), postgresMs: cpuMs, statements: statements.count(), walBytes }
}

function perRun(before: Use, after: Use, times: number): Use {
  const of = (name: keyof Use) => (after[name] - before[name]) / times
  return {
    nodeMs: of('nodeMs'),
    postgresMs: of('postgresMs'),
    statements: of('statements'),
    walBytes: of('walBytes'),
  }
}
