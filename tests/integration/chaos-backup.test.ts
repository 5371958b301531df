import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { examineBackup, openBackup } from '@/lib/installation/backup/backup-file'
import { readConsoleTables } from '@/lib/installation/backup/console-tables'
import { MIGRATIONS_FOLDER, migrate, readMigrations } from '@/lib/installation/migrate'
import { addPerson } from '@/tests/support/people'
import { type EmptyTarget, emptyTargets, hashRows, relationsIn } from '@/tests/support/restored'
import { startToolgate, toolgate } from '@/tests/support/toolgate-process'
import { workspaceFolder } from '@/tests/support/workspace-folder'
import { isFullChaos, report } from '@/tests/support/writing-runs'
import { addContents } from '@/tools/scale/contents'

// Commands are killed with kill -9 at places where they are held, and, with `npm run chaos`, at random moments, too.

const kills = isFullChaos
  ? Math.max(6, Math.ceil(Number(process.env.TOOLGATE_CHAOS_KILLS) / 10))
  : 2
let folder: string
let notes: string
let client: pg.Client
let before: Map<string, string>
const target = emptyTargets()

const connect = async (connectionString: string) => {
  const opened = new pg.Client({ connectionString })
  opened.on('error', () => undefined)
  await opened.connect()
  return opened
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-killed-'))
  notes = workspaceFolder('killed')
  const admin = await addPerson('admin', 'ada@example.org')
  await workspaceVerbs.create(admin, { name: 'notes', folder: notes })
  client = await connect(String(process.env.DATABASE_URL))
  await addContents(client, admin, isFullChaos ? 60 : 4)
  // The first start plants what keys are compared with.
  await toolgate(['freeze', 'status'])
  before = await hashRows(client)
})

afterAll(async () => {
  await client.end()
  for (const each of [folder, notes]) await rm(each, { recursive: true, force: true })
})

/** Kills a command that reached its place, or was given its time, and waits until its connection is gone. */
async function kill(child: ChildProcess, connection: pg.Client): Promise<void> {
  const ended = once(child, 'exit')
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await ended
  }
  await untilAlone(connection)
}

/** Resolves when nobody works in the database of a connection but that. */
async function untilAlone({ database }: pg.Client): Promise<void> {
  const others = `SELECT FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid() AND state <> 'idle'`
  await expect.poll(async () => (await client.query(others, [database])).rowCount).toBe(0)
}

/** Resolves when a command waits for a lock that a test holds in the database of a connection. */
async function untilHeld({ database }: pg.Client): Promise<void> {
  const waits = `SELECT FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await client.query(waits, [database])).rowCount).toBe(1)
}

/** Returns `count` of these, evenly, the first and the last among them. */
function spread<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, (all.length - 1) / Math.max(1, count - 1))
  return all.filter((_each, place) => Math.floor(place % step) === 0 || place === all.length - 1)
}

/** Returns moments of a command that takes so many ms. */
const moments = (ms: number) =>
  Array.from(
    { length: isFullChaos ? kills : 0 },
    (_each, place) => (ms * (place + 1)) / (kills + 1),
  )

const timed = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

test('a killed backup leaves its source as it was, no file with its name, and nothing once the next one is done', async () => {
  const file = path.join(folder, 'killed')
  const tables = await readConsoleTables(client, await readMigrations())
  const places = spread(tables, kills).map(
    ({ table }) => `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`,
  )
  // The last one comes when all rows are in the file, and it has no name yet.
  const last = 'LOCK TABLE audit_entries IN SHARE ROW EXCLUSIVE MODE'
  for (const place of [...places, last]) {
    const holding = await connect(String(process.env.DATABASE_URL))
    await holding.query('BEGIN')
    await holding.query(place)
    const child = startToolgate(['backup', file])
    await untilHeld(client)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await holding.end()
    await untilAlone(client)
    expect(existsSync(file), place).toBe(false)
    expect(await hashRows(client), place).toEqual(before)
  }
  let whole = 0
  const ms = await timed(() => toolgate(['backup', file]))
  await (await openBackup(file)).close()
  for (const moment of moments(ms)) {
    await rm(file, { force: true })
    const child = startToolgate(['backup', file])
    await Promise.race([wait(moment), once(child, 'exit')])
    await kill(child, client)
    if (existsSync(file)) {
      await (await openBackup(file)).close()
      whole += 1
    }
  }
  await rm(file, { force: true })
  expect(await toolgate(['backup', file])).toMatchObject({ code: 0, stderr: '' })
  expect(existsSync(`${file}.part`)).toBe(false)
  const handle = await openBackup(file)
  expect((await examineBackup(handle)).tables).toHaveLength(tables.length)
  await handle.close()
  const random = moments(ms).length
  report(
    `${places.length + 1} places and ${random} moments; ${whole} of these had a whole file, 0 half ones`,
  )
})

/** Holds a restore at the first statement of the catalogue that has these words. */
async function holdAt({ client: into }: EmptyTarget, words: string): Promise<void> {
  await into.query(`
    CREATE SCHEMA IF NOT EXISTS gate; CREATE TABLE IF NOT EXISTS gate.closed ();
    CREATE OR REPLACE FUNCTION gate.wait() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF current_query() LIKE ${pg.escapeLiteral(`%${words}%`)} THEN LOCK TABLE gate.closed IN ACCESS SHARE MODE; END IF;
    END $$;
    DROP EVENT TRIGGER IF EXISTS gate; CREATE EVENT TRIGGER gate ON ddl_command_start EXECUTE FUNCTION gate.wait()`)
  await into.query('BEGIN')
  await into.query('LOCK TABLE gate.closed IN ACCESS EXCLUSIVE MODE')
}

test('a killed restore leaves its target empty, as the doctor says, and a second one works, also after a start', async () => {
  const file = path.join(folder, 'restored')
  expect(await toolgate(['backup', file])).toMatchObject({ code: 0, stderr: '' })
  const into = await target()
  const steps = [
    'applied_migrations',
    'CREATE TABLE "users"',
    'DROP CONSTRAINT',
    'DISABLE TRIGGER USER',
    'ENABLE TRIGGER USER',
    'ADD CONSTRAINT',
  ]
  const places = spread(steps, kills)
  for (const place of places) {
    await holdAt(into, place)
    const child = startToolgate(['restore', file], into.env)
    await untilHeld(into.client)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await into.client.query('ROLLBACK')
    await into.client.query('DROP EVENT TRIGGER gate')
    await untilAlone(into.client)
    expect(await relationsIn(into), place).toEqual([])
  }
  const { findings } = JSON.parse((await toolgate(['doctor', '--json'], { env: into.env })).stdout)
  expect(findings).toContainEqual({
    check: 'Migrations',
    status: 'warn',
    detail: expect.stringContaining('a restore into it was interrupted, which changed nothing'),
    advice: expect.stringContaining('restore a backup: bin/toolgate restore FILE'),
  })
  let whole = 0
  const measure = async () => {
    const other = await target()
    return timed(() => toolgate(['restore', file], { env: other.env }))
  }
  const ms = isFullChaos ? await measure() : 0
  const fresh: EmptyTarget[] = [into]
  for (const moment of moments(ms)) {
    const [last = await target()] = fresh.splice(0)
    const child = startToolgate(['restore', file], last.env)
    await Promise.race([wait(moment), once(child, 'exit')])
    await kill(child, last.client)
    if ((await relationsIn(last)).length === 0) fresh.push(last)
    else {
      whole += 1
      const { rows } = await last.client.query(
        "SELECT count(*)::int AS freezes FROM settings WHERE key = 'freeze'",
      )
      expect(rows).toEqual([{ freezes: 1 }])
      const again = await toolgate(['restore', file], { env: last.env })
      expect(again.stderr).toContain(
        'this is none: it has accounts or secrets. Nothing was changed.',
      )
    }
  }
  const [last = await target()] = fresh
  const started = await toolgate(['freeze', 'status'], { env: last.env })
  expect(started.stderr).toContain('There is no admin yet. Create one with:')
  expect(await toolgate(['restore', file], { env: last.env })).toMatchObject({ code: 0 })
  const { rows } = await last.client.query('SELECT email FROM users')
  expect(rows).toEqual([{ email: 'ada@example.org' }])
  report(
    `${places.length} places and ${moments(ms).length} moments; ${whole} of these were restored, the others empty`,
  )
})

test('killed between any two statements, migrations leave the schema and rows of before, with which the old version starts', async () => {
  const into = await target(true)
  const migrations = path.join(folder, 'migrations')
  await cp(MIGRATIONS_FOLDER, migrations, { recursive: true })
  const count = 3
  await into.client.query('CREATE SCHEMA gate')
  const statements = 4
  const names: string[] = []
  const gates: string[] = []
  for (let n = 0; n < count; n += 1) {
    const name = `2099123100000${n}_step_${n}`
    names.push(name)
    const sql = Array.from({ length: statements }, (_each, place) => {
      const at = n * statements + place
      gates.push(`CREATE TABLE gate.step_${at} ()`)
      return `LOCK TABLE gate.step_${at} IN ACCESS SHARE MODE; ALTER TABLE groups ADD COLUMN step_${at} int; UPDATE groups SET name = name || '.';`
    })
    await writeFile(path.join(migrations, `${name}.sql`), sql.join('\n'))
  }
  await into.client.query(gates.join(';'))
  await into.client.query(`INSERT INTO users (id, email, name, role, "passwordHash", "updatedAt")
    VALUES (gen_random_uuid(), 'ada@example.org', 'Ada', 'admin', 'none', now())`)
  await toolgate(['freeze', 'status'], { env: into.env })
  await into.client.query(`INSERT INTO groups (id, name) VALUES (gen_random_uuid(), 'Editors')`)
  const unchanged = await hashRows(into.client)
  const script = `import { migrate } from './lib/installation/migrate.ts'
    await migrate(process.argv[1], process.argv[2])`
  const args = [
    '--conditions=react-server',
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    script,
    into.database.url,
    migrations,
  ]
  const places = spread(
    Array.from({ length: count * statements }, (_each, place) => place),
    isFullChaos ? count * statements : kills,
  )
  for (const place of places) {
    const holding = await connect(into.database.url)
    await holding.query('BEGIN')
    await holding.query(`LOCK TABLE gate.step_${place} IN ACCESS EXCLUSIVE MODE`)
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    await untilHeld(into.client)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await holding.end()
    await untilAlone(into.client)
    expect(await hashRows(into.client), `statement ${place}`).toEqual(unchanged)
    expect(await toolgate(['freeze', 'status'], { env: into.env })).toMatchObject({
      code: 0,
      stderr: '',
    })
  }
  expect(await migrate(into.database.url, migrations)).toEqual(names)
  const { rows } = await into.client.query('SELECT name FROM groups')
  expect(rows).toEqual([{ name: `Editors${'.'.repeat(count * statements)}` }])
  report(`${places.length} places: each time the schema and the rows of before`)
})
