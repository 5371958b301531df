import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { checkMigrations } from '@/lib/doors/cli/doctor/check-database'
import { checkDatabase } from '@/lib/installation/check-database'
import {
  MIGRATIONS_FOLDER,
  type Migration,
  migrate,
  readMigrations,
  sha256,
} from '@/lib/installation/migrate'
import { planUpgrade } from '@/lib/installation/upgrade-plan'
import { type DecidingTable, decidingTables } from '@/lib/kernel/deciding-tables'
import { advisoryLocks } from '@/lib/kernel/locks'
import { missingSql } from '@/scripts/migration/missing-sql'
import { schemaDifference } from '@/scripts/migration/schema-difference'
import { db } from '@/tests/support/fixture-db'
import { createTestDatabase, type TestDatabase } from '@/tests/support/test-database'

let folder: string
let database: TestDatabase
let client: pg.Client
const opened: (() => Promise<unknown>)[] = []

/** An empty database, and a copy of the migrations that a test may change. */
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-migrations-'))
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true })
  database = await createTestDatabase('_migrated', { migrated: false })
  client = new pg.Client({ connectionString: database.url })
  client.on('error', () => undefined)
  await client.connect()
  opened.push(
    () => client.end(),
    database.drop,
    () => rm(folder, { recursive: true }),
  )
})

afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

const writeSql = (name: string, sql: string) => writeFile(path.join(folder, `${name}.sql`), sql)

async function appliedRows(): Promise<{ name: string; checksum: string }[]> {
  const { rows } = await client.query('SELECT name, checksum FROM applied_migrations ORDER BY name')
  return rows
}

async function isThere(table: string): Promise<boolean> {
  const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS there', [table])
  return rows[0]?.there
}

test('migrations that wait for a backup say so, and go on once it is done', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  opened.push(async () => said.mockRestore())
  await client.query('SELECT pg_advisory_lock($1)', [advisoryLocks.backup])
  await client.query('SELECT pg_advisory_lock_shared($1)', [advisoryLocks.migrations])
  const waiting = migrate(database.url, folder)
  await expect
    .poll(() => said.mock.calls.flat().join())
    .toMatch(/^Waiting for the backup that began at \d{4}-.*UTC/)
  await client.query('SELECT pg_advisory_unlock_shared($1)', [advisoryLocks.migrations])
  expect(await waiting).not.toEqual([])
})

describe('a new database', () => {
  test('becomes what schema.prisma says', async () => {
    const known = await readMigrations()
    expect(await migrate(database.url)).toEqual(known.map(({ name }) => name))
    expect(await appliedRows()).toEqual(known.map(({ name, checksum }) => ({ name, checksum })))
    expect(await schemaDifference(database.url)).toBe(null)
    await client.query('ALTER TABLE groups ADD COLUMN odd integer')
    expect(await schemaDifference(database.url)).toMatch(/DROP COLUMN "odd"/)
  })

  test('is what a new migration is compared with, also while a deciding table has none yet', async () => {
    const notYet: DecidingTable = { model: 'unmade', written: 'freely' }
    Object.assign(decidingTables, { unmade_tables: notYet })
    try {
      expect(await missingSql(database.url)).toBe(null)
    } finally {
      Reflect.deleteProperty(decidingTables, 'unmade_tables')
    }
  })

  test('is migrated once by processes that start together', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => migrate(database.url)))
    const known = await readMigrations()
    expect(answers.map((names) => names.length).sort()).toEqual([0, 0, known.length])
  })

  test('no file is left out in silence', async () => {
    await writeFile(path.join(folder, 'notes.sql'), 'SELECT 1')
    await expect(migrate(database.url, folder)).rejects.toThrow('prisma/migrations/notes.sql')
    expect(await isThere('applied_migrations')).toBe(false)
  })
})

test('a migrated database is left as it is, and says that it is ready', async () => {
  const group = await db().group.create({ data: { name: 'Editors' } })
  expect(await migrate(String(process.env.DATABASE_URL))).toEqual([])
  expect(await db().group.findMany()).toEqual([group])
  expect(await checkDatabase()).toBe('ok')
  expect(await checkMigrations()).toMatchObject({ status: 'ok' })
})

test('copies are separate databases', async () => {
  const other = await createTestDatabase('_other')
  opened.push(other.drop)
  expect(other.url).not.toBe(process.env.DATABASE_URL)
  expect(await migrate(other.url)).toEqual([])
})

describe('what does not fit stops the start', () => {
  test('a file that changed after it was applied', async () => {
    await migrate(database.url, folder)
    const { name, sql } = (await readMigrations())[3] as Migration
    await writeSql(name, `${sql}-- changed`)
    await expect(migrate(database.url, folder)).rejects.toThrow(
      `prisma/migrations/${name}.sql changed after it was applied. Put back the released file`,
    )
    await writeSql(name, sql.replaceAll('\n', '\r\n'))
    expect(await migrate(database.url, folder)).toEqual([])
  })

  test('a database of a newer version, in the doctor too', async () => {
    const name = '20991231235959_of_the_future'
    await writeSql(name, 'CREATE TABLE future ()')
    expect(await migrate(database.url, folder)).toContain(name)
    await expect(migrate(database.url)).rejects.toThrow(
      `it is from a newer version of Toolgate, and this version does not know ${name}. Update Toolgate`,
    )
    await db().$executeRaw`INSERT INTO applied_migrations VALUES (${name}, '')`
    expect(await checkMigrations()).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining(name),
    })
    await db().$executeRaw`DELETE FROM applied_migrations WHERE name = ${name}`
  })

  test('a statement that fails: nothing of any migration stays, and the version before starts', async () => {
    await migrate(database.url)
    const before = await appliedRows()
    const [good, bad] = ['20991231000000_good', '20991231000001_bad']
    await writeSql(good, 'CREATE TABLE good ()')
    await writeSql(bad, `CREATE TABLE bad (); INSERT INTO nowhere VALUES ('secret-1')`)
    await expect(migrate(database.url, folder)).rejects.toThrow(
      `The database cannot be migrated: ${bad} failed (relation "nowhere" does not exist). Nothing was changed, so the version before still starts. Remove the cause and start again.`,
    )
    expect([await isThere('good'), await isThere('bad')]).toEqual([false, false])
    expect(await appliedRows()).toEqual(before)
    expect(await migrate(database.url)).toEqual([])
    await writeSql(bad, 'CREATE TABLE bad ()')
    expect(await migrate(database.url, folder)).toEqual([good, bad])
  })
})

test('a process killed in the middle of a migration leaves nothing of any, and the version before starts', async () => {
  await migrate(database.url)
  const [first, slow, last] = ['first', 'slow', 'last'].map(
    (name, n) => `2099123100000${n}_${name}`,
  )
  await writeSql(String(first), 'CREATE TABLE first_one ()')
  await writeSql(String(slow), 'CREATE TABLE half (); SELECT pg_sleep(3); CREATE TABLE other ()')
  await writeSql(String(last), 'CREATE TABLE last_one ()')
  const script = `import { migrate } from './lib/installation/migrate.ts'
    await migrate(process.argv[1], process.argv[2])`
  const child = spawn(
    process.execPath,
    [
      '--conditions=react-server',
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      script,
      database.url,
      folder,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const ended = once(child, 'exit')
  await expect
    .poll(
      async () => {
        const { rows } = await client.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
        )
        return rows.length
      },
      { timeout: 60_000 },
    )
    .toBe(1)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(await migrate(database.url)).toEqual([])
  expect([await isThere('first_one'), await isThere('half')]).toEqual([false, false])
  await writeSql(String(slow), 'CREATE TABLE half ()')
  expect(await migrate(database.url, folder)).toEqual([first, slow, last])
  expect([await isThere('first_one'), await isThere('other')]).toEqual([true, false])
})

test('a connection that PostgreSQL ends between two migrations leaves nothing of any', async () => {
  await migrate(database.url)
  const before = await appliedRows()
  await writeSql('20991231000000_good', 'CREATE TABLE good ()')
  await writeSql('20991231000001_ended', 'SELECT pg_terminate_backend(pg_backend_pid())')
  await expect(migrate(database.url, folder)).rejects.toThrow('20991231000001_ended failed')
  expect([await isThere('good'), await appliedRows()]).toEqual([false, before])
  expect(await migrate(database.url)).toEqual([])
})

test('an upgrade is planned with the rows of its tables and the room it needs, and changes nothing', async () => {
  await migrate(database.url)
  expect(await planUpgrade(database.url)).toEqual({
    pending: [],
    tables: [],
    diskBytes: 0,
    lastBackup: null,
  })
  await client.query(
    `INSERT INTO groups (id, name) SELECT gen_random_uuid(), 'group ' || n FROM generate_series(1, 500) n;
     ANALYZE groups; ANALYZE users`,
  )
  const [first, last] = ['20991231000000_filled', '20991231000001_flagged']
  await writeSql(
    first,
    `-- UPDATE runs SET status = 'ended'\nUPDATE "groups" SET description = 'x'`,
  )
  await writeSql(
    last,
    `ALTER TABLE "users" ADD COLUMN odd integer; CREATE TABLE odd_things (id int);
     CREATE FUNCTION odd() RETURNS void LANGUAGE sql AS $$ UPDATE settings SET value = '1' $$`,
  )
  const { rows } = await client.query(`SELECT pg_total_relation_size('groups')::float8 AS bytes`)
  expect(await planUpgrade(database.url, folder)).toEqual({
    pending: [first, last],
    tables: [
      { name: 'groups', rows: 500, diskBytes: rows[0].bytes },
      { name: 'users', rows: 0, diskBytes: 0 },
    ],
    diskBytes: rows[0].bytes,
    lastBackup: null,
  })
  expect(await isThere('odd_things')).toBe(false)
})

describe('all migrations can be one transaction', () => {
  test.each([
    ['CREATE INDEX CONCURRENTLY x ON runs (id)', 'CREATE INDEX CONCURRENTLY x ON runs (id)'],
    ['-- BEGIN\nSELECT 1; VACUUM runs', 'VACUUM runs'],
    ['CREATE TABLE x (); commit; CREATE TABLE y ()', 'commit'],
    [`SELECT 'COMMIT;'; DO $$ BEGIN PERFORM 1; END $$; CREATE TABLE x () /* ; END */`, undefined],
    ['ALTER SYSTEM SET work_mem = 1', 'ALTER SYSTEM SET work_mem = 1'],
    ['REINDEX TABLE CONCURRENTLY runs', 'REINDEX TABLE CONCURRENTLY runs'],
  ])('%s is told from what can be in one', (sql, refused) => {
    expect(ownTransactionIn(sql)).toBe(refused)
  })

  test('no migration has a statement that needs or ends a transaction of its own', async () => {
    const found = (await readMigrations()).flatMap(({ name, sql }) => {
      const statement = ownTransactionIn(sql)
      return statement === undefined ? [] : [`${name}: ${statement}`]
    })
    expect(found).toEqual([])
  })

  test('no migration uses a value that another one adds to an enum', async () => {
    const known = await readMigrations()
    const adding = known.flatMap(({ sql }, place) => (/\bADD VALUE\b/i.test(sql) ? [place] : []))
    expect(adding.length).toBeGreaterThan(0)
    for (const place of adding) {
      await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
      for (const { sql } of known.slice(0, place)) await client.query(sql)
      await client.query('BEGIN')
      for (const { sql } of known.slice(place)) await client.query(sql)
      await client.query('COMMIT')
    }
  })
})

/** Returns the first statement that PostgreSQL refuses in a transaction, or that ends one. */
function ownTransactionIn(sql: string): string | undefined {
  const code = sql
    .replace(/--.*$/gm, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$$$$')
    .replace(/'(?:[^']|'')*'/g, "''")
  const alone =
    /^(BEGIN|START|COMMIT|END|ROLLBACK|ABORT|PREPARE TRANSACTION|VACUUM|CLUSTER|ALTER SYSTEM|(CREATE|DROP) (DATABASE|TABLESPACE|SUBSCRIPTION)|REINDEX (DATABASE|SYSTEM)\b)|\bCONCURRENTLY\b/i
  return code
    .split(';')
    .map((statement) => statement.trim())
    .find((statement) => alone.test(statement))
}

describe('a database with the table of prisma migrate', () => {
  /** Applies the first `count` migrations as Prisma did, each one with its row. */
  async function migrateWithPrisma(count: number, textOf: (migration: Migration) => string) {
    await client.query(`CREATE TABLE _prisma_migrations (
      id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
      migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
      started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`)
    const known = await readMigrations()
    for (const migration of known.slice(0, count)) {
      const text = textOf(migration)
      await client.query(text)
      await addRow(migration.name, sha256(text), { finished: true })
    }
    return known.slice(count).map(({ name }) => name)
  }

  async function addRow(name: string, checksum: string, { finished = false, undone = false }) {
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, rolled_back_at)
       VALUES (gen_random_uuid(), $1, $2, CASE WHEN $3 THEN now() END, CASE WHEN $4 THEN now() END)`,
      [checksum, name, finished, undone],
    )
  }

  test('goes on where Prisma stopped, without a step', async () => {
    const rest = await migrateWithPrisma(20, ({ sql }) => sql)
    await addRow(String(rest[0]), 'of a try that was undone', { undone: true })
    await client.query(`INSERT INTO groups (id, name) VALUES (gen_random_uuid(), 'Editors')`)
    expect(await migrate(database.url)).toEqual(rest)
    expect((await appliedRows()).length).toBe((await readMigrations()).length)
    expect((await client.query('SELECT name FROM groups')).rows).toEqual([{ name: 'Editors' }])
    expect(await migrate(database.url)).toEqual([])
    const adopted = await client.query(
      `SELECT 1 FROM applied_migrations a JOIN _prisma_migrations p
       ON p.migration_name = a.name AND p.finished_at = a."appliedAt"`,
    )
    expect(adopted.rowCount).toBe(20)
    expect(await schemaDifference(database.url)).toBe(null)
  })

  test('with line ends of Windows, and the text of a file from before its release', async () => {
    const name = '20261122150000_answers_heard'
    const added = `\n    AND u."at" >= c."updatedAt"`
    await migrateWithPrisma(32, (migration) =>
      migration.name === name
        ? migration.sql.replace(added, '')
        : migration.sql.replaceAll('\n', '\r\n'),
    )
    expect((await migrate(database.url)).length).toBe((await readMigrations()).length - 32)
  })

  test('a database whose migration file changed is refused', async () => {
    await migrateWithPrisma(5, ({ sql }) => sql)
    await client.query(
      `UPDATE _prisma_migrations SET checksum = 'other' WHERE migration_name LIKE '%money'`,
    )
    await expect(migrate(database.url)).rejects.toThrow(
      'prisma/migrations/20261122050900_money.sql changed after it was applied',
    )
    expect(await isThere('applied_migrations')).toBe(false)
  })

  test('a database with an unfinished migration is refused until a person says how it ended', async () => {
    const rest = await migrateWithPrisma(5, ({ sql }) => sql)
    await addRow(String(rest[0]), 'any', {})
    await expect(migrate(database.url)).rejects.toThrow(
      `an older version of Toolgate began ${rest[0]} and did not finish, so the database may have a part of it. Restore a backup`,
    )
    expect(await isThere('applied_migrations')).toBe(false)
    await client.query(
      'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL',
    )
    expect(await migrate(database.url)).toEqual(rest)
  })
})
