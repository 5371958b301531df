import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Ctx } from '@/lib/kernel/context'
import { formatBytes } from '@/lib/words/format'
import { residentMemory } from '@/tests/support/resident-memory'
import { printTable } from '@/tools/bench/print-table'
import { addContents } from './contents'

/** The most memory of a command, in MiB. Both take the same for 100 MB as for 2 GB; the rest is room for other machines. */
const limitMib = 250

type Installation = { admin: Ctx; env: Record<string, string> }

/**
 * Adds so many MB of files to an installation, backs it up, checks the backup and restores it into another database of the same
 * server. Prints how long each takes and how much memory its process has at most. Throws when that is over the limit, or rows are
 * missing.
 */
export async function measureBackup(
  client: pg.Client,
  { admin, env }: Installation,
  megabytes: number,
): Promise<void> {
  await client.query(`INSERT INTO workspaces (id, name, folder, "realFolder", "createdByLabel", "updatedAt")
    VALUES (gen_random_uuid(), 'notes', '/nowhere', '/nowhere', 'scale', now())`)
  await addContents(client, admin, megabytes)
  const bytes = await sizeOf(client)
  console.log(`${formatBytes(bytes)} in the database.`)
  const folder = String(env.TOOLGATE_DATA_DIR)
  const file = path.join(folder, 'backup')
  const other = { ...env, ...(await emptyInstallation(client, env, folder)) }
  const steps = [
    { args: ['backup', file], env },
    { args: ['restore', '--verify', file], env },
    { args: ['restore', file], env: other },
  ]
  const rows: string[][] = []
  for (const step of steps) {
    const { seconds, mib } = await run(step)
    const says = mib > limitMib ? `over ${limitMib} MiB` : ''
    const speed = bytes / 1024 / 1024 / seconds
    const name = step.args.slice(0, -1).join(' ')
    rows.push([name, seconds.toFixed(1), speed.toFixed(0), mib.toFixed(0), says])
  }
  printTable(['command', 's', 'MiB/s', 'memory, MiB at most', 'goal missed'], rows)
  await requireSame(client, other.DATABASE_URL)
  if (rows.some((cells) => cells.at(-1))) throw new Error('A command took too much memory.')
}

async function sizeOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    'SELECT pg_database_size(current_database())::float8 AS bytes',
  )
  return rows[0].bytes
}

/** Makes an empty database beside that of `env`, and a folder for its installation. Returns the variables of both. */
async function emptyInstallation(client: pg.Client, env: Record<string, string>, parent: string) {
  const folder = path.join(parent, 'restored')
  await mkdir(folder, { mode: 0o700 })
  await client.query('CREATE DATABASE restored')
  const url = new URL(String(env.DATABASE_URL))
  url.pathname = '/restored'
  return { DATABASE_URL: url.href, TOOLGATE_DATA_DIR: folder }
}

/** Runs a command and returns how long it took, and the most memory that it had at one of its moments. */
async function run({ args, env }: { args: string[]; env: Record<string, string> }) {
  const began = performance.now()
  const child = spawn(path.resolve('bin/toolgate'), args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  })
  const ended = once(child, 'exit')
  let mib = 0
  while (child.exitCode === null && child.signalCode === null) {
    const { own, started } = await residentMemory(child.pid ?? 0)
    mib = Math.max(mib, own + started)
    await Promise.race([ended, wait(100)])
  }
  if (child.exitCode !== 0) throw new Error(`toolgate ${args.join(' ')} failed.`)
  return { seconds: (performance.now() - began) / 1000, mib }
}

/** Throws unless each table of history has as many rows in the restored database, and each file there the bytes of its hash. */
async function requireSame(client: pg.Client, databaseUrl: string): Promise<void> {
  const restored = new pg.Client({ connectionString: databaseUrl })
  await restored.connect()
  try {
    for (const table of ['runs', 'run_events', 'usage_records', 'call_records', 'file_versions']) {
      const count = `SELECT count(*)::int AS rows FROM ${table}`
      const [before, after] = [await client.query(count), await restored.query(count)]
      if (before.rows[0].rows !== after.rows[0].rows)
        throw new Error(`Rows of ${table} are missing.`)
    }
    const { rows } = await restored.query(
      `SELECT count(*)::int AS other FROM file_contents WHERE encode(sha256(content), 'hex') <> sha256`,
    )
    if (rows[0].other > 0) throw new Error(`${rows[0].other} files have other bytes.`)
  } finally {
    await restored.end()
  }
}
