import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { switchOnApiKey } from '@/lib/domains/api-keys/checked-verbs'
import { backUp } from '@/lib/installation/backup/back-up'
import {
  type BackupHeader,
  examineBackup,
  openBackup,
  writeBackup,
} from '@/lib/installation/backup/backup-file'
import { readConsoleTables } from '@/lib/installation/backup/console-tables'
import { migrate, readMigrations } from '@/lib/installation/migrate'
import { pool } from '@/lib/kernel/db'
import { ForbiddenError } from '@/lib/kernel/errors'
import { schemaDifference } from '@/scripts/migration/schema-difference'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { databaseBefore } from '@/tests/support/database-before'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { emptyTargets, hashRows, operator, relationsIn, restored } from '@/tests/support/restored'
import { finish, startToolgate, toolgate } from '@/tests/support/toolgate-process'

let folder: string
let file: string
const target = emptyTargets()

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-restore-'))
  file = path.join(folder, 'backup')
  await addPerson('admin', 'ada@example.org')
  await backUpTo(file, String(process.env.DATABASE_URL))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const backUpTo = (name: string, databaseUrl: string) =>
  backUp({ databaseUrl, file: name, isReplaced: false, author: operator, key: null })

test('a backup of an older version is migrated', async () => {
  const older = await databaseBefore('server_cwd')
  await older.client.query(
    `INSERT INTO servers (id, name, kind, command, "createdByLabel", "updatedAt")
     VALUES (gen_random_uuid(), 'notes', 'stdio', '{node,notes.mjs}', 'ada@example.org', now())`,
  )
  const old = path.join(folder, 'older')
  await backUpTo(old, older.database.url)
  await older.client.end()
  await older.database.drop()
  const into = await target()
  const verified = await toolgate(['restore', '--verify', old])
  expect(verified.stdout).toMatch(/This version migrates it: \d+ migrations? (is|are) pending\./)
  await restored(old, into)
  expect(await schemaDifference(into.database.url)).toBe(null)
  const { rows } = await into.client.query('SELECT name, cwd, enabled FROM servers')
  expect(rows).toEqual([{ name: 'notes', cwd: null, enabled: false }])
  expect(await migrate(into.database.url)).toEqual([])
})

test('API keys are off until an admin switches on each', async () => {
  const admin = await addPerson('admin')
  const token = await apiKeyOf(admin, 'runs:read')
  const keyed = path.join(folder, 'keyed')
  await backUpTo(keyed, String(process.env.DATABASE_URL))
  const into = await target()
  await restored(keyed, into)
  const { rows } = await into.client.query('SELECT id, "pausedAt" FROM api_keys')
  expect(rows).toEqual([{ id: expect.any(String), pausedAt: expect.any(Date) }])
  // This test's own installation stands in for the restored one.
  const [{ id: keyId, pausedAt }] = rows
  await db().apiKey.update({ where: { id: keyId }, data: { pausedAt } })
  const refused = await askApi('GET', '/runs', { key: token })
  expect(refused.status).toBe(401)
  expect(JSON.stringify(await refused.json())).toContain(
    'the API key is off until an admin switches it on',
  )
  await expect(switchOnApiKey(await addPerson('member'), { keyId })).rejects.toThrow(ForbiddenError)
  await switchOnApiKey(admin, { keyId })
  expect((await askApi('GET', '/runs', { key: token })).status).toBe(200)
  const entries = await db().auditEntry.findMany({ where: { action: 'api-key.switch-on' } })
  expect(entries).toMatchObject([{ objectId: keyId, before: { pausedAt: pausedAt.toISOString() } }])
  const restores = await into.client.query(
    "SELECT after FROM audit_entries WHERE action = 'site.restore'",
  )
  expect(restores.rows[0]?.after).toMatchObject({ apiKeys: [expect.stringContaining('(tg_')] })
})

test('the backup of release 0.1.0 is restored, migrated, and its key opens with its passphrase', async () => {
  const into = await target()
  const env = { ...into.env, TOOLGATE_VAULT_KEY: '' }
  const done = await toolgate(['restore', path.resolve('tests/support/releases/0.1.0.backup')], {
    input: 'the fixture of release 0.1.0',
    env,
  })
  expect(done).toMatchObject({ code: 0, stderr: '' })
  expect(await schemaDifference(into.database.url)).toBe(null)
  const ask = async (sql: string) => (await into.client.query(sql)).rows
  expect(await ask('SELECT status, count(*)::int FROM runs GROUP BY 1')).toEqual([
    { status: 'ended', count: 5 },
  ])
  expect(await ask("SELECT convert_from(content, 'UTF8') AS text FROM file_contents")).toEqual([
    { text: 'a note of release 0.1.0\n' },
  ])
  expect(await ask('SELECT name, enabled FROM hosts')).toEqual([
    { name: 'https://example.org', enabled: false },
  ])
  const key = await readFile(path.join(String(into.env.TOOLGATE_DATA_DIR), 'vault-key'), 'utf8')
  expect(Buffer.from(key, 'base64').toString()).toBe('release 0.1.0 release 0.1.0 rele')
})

test('an installation that was started once and never set up takes a backup of its version', async () => {
  const into = await target()
  await migrate(into.database.url)
  await restored(file, into)
  const { rows } = await into.client.query('SELECT email FROM users')
  expect(rows).toEqual([{ email: 'ada@example.org' }])
})

/** Returns the constraints and the triggers of the console, and whether they are on. */
async function objectsIn(client: Pick<pg.Client, 'query'>): Promise<unknown[]> {
  const { rows } = await client.query(`
    SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS it FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT tgrelid::regclass::text || ' ' || pg_get_triggerdef(oid) || ' ' || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
    ORDER BY 1`)
  return rows
}

test('triggers and constraints work after a restore as before it', async () => {
  const into = await target()
  await restored(file, into)
  const found = await objectsIn(into.client)
  // Not this test's own database, which may have triggers of other tests.
  const fresh = await target()
  await migrate(fresh.database.url)
  expect(found).toEqual(await objectsIn(fresh.client))
  expect(found.length).toBeGreaterThan(200)
})

test('tables of somebody else in the same database are not in a backup, which can be restored', async () => {
  const from = await target()
  await migrate(from.database.url)
  await from.client.query('CREATE TABLE theirs AS SELECT 1 AS id')
  const shared = path.join(folder, 'shared')
  await backUpTo(shared, from.database.url)
  const handle = await openBackup(shared)
  const { tables } = await examineBackup(handle)
  await handle.close()
  expect(tables.map(({ table }) => table)).not.toContain('theirs')
  expect(await toolgate(['restore', shared], { env: (await target()).env })).toMatchObject({
    code: 0,
  })
  // Started once, this one takes a backup, too, and what is not Toolgate's stays.
  expect(await toolgate(['restore', file], { env: from.env })).toMatchObject({ code: 0 })
  expect((await from.client.query('SELECT id FROM theirs')).rows).toEqual([{ id: 1 }])
})

test('a database of a newer version is backed up by that version alone', async () => {
  const newer = await target()
  await migrate(newer.database.url)
  await newer.client.query("INSERT INTO applied_migrations VALUES ('20991231000000_flying', 'a')")
  const refused = await toolgate(['backup', path.join(folder, 'flying')], { env: newer.env })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('This installation is of a newer version of Toolgate')
})

test('a database with a column that somebody added by hand is not backed up, because no restore would take it', async () => {
  const from = await target(true)
  await from.client.query('ALTER TABLE users ADD COLUMN nickname text')
  const own = path.join(folder, 'with-a-column')
  await expect(backUpTo(own, from.database.url)).rejects.toThrow(
    'The database has columns that Toolgate does not make: users.nickname.',
  )
  await from.client.query('ALTER TABLE users DROP COLUMN nickname')
  await backUpTo(own, from.database.url)
})

test('the key that a folder had before is kept, because another database may need it', async () => {
  const into = await target()
  const keyFile = path.join(String(into.env.TOOLGATE_DATA_DIR), 'vault-key')
  const theirs = `${Buffer.alloc(32, 'k').toString('base64')}\n`
  await writeFile(keyFile, theirs)
  const done = await toolgate(['restore', path.resolve('tests/support/releases/0.1.0.backup')], {
    input: 'the fixture of release 0.1.0',
    env: { ...into.env, TOOLGATE_VAULT_KEY: '' },
  })
  const [, kept = ''] = /The key that this folder had before is in (\S+)\./.exec(done.stdout) ?? []
  expect(await readFile(kept, 'utf8')).toBe(theirs)
  expect(await readFile(keyFile, 'utf8')).not.toBe(theirs)
})

test('killed at its end, it leaves nothing, and does it all when it is run again', async () => {
  const into = await target()
  // Stops the restore when all rows are there.
  await into.client.query(`
    CREATE SCHEMA gate; CREATE TABLE gate.closed ();
    CREATE FUNCTION gate.wait() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF current_query() LIKE '%ENABLE TRIGGER USER%' THEN LOCK TABLE gate.closed IN ACCESS SHARE MODE; END IF;
    END $$;
    CREATE EVENT TRIGGER gate ON ddl_command_start EXECUTE FUNCTION gate.wait()`)
  await into.client.query('BEGIN')
  await into.client.query('LOCK TABLE gate.closed IN ACCESS EXCLUSIVE MODE')
  const child = startToolgate(['restore', file], into.env)
  const ended = finish(child)
  const waits = `SELECT count(*)::int AS waits FROM pg_stat_activity
    WHERE datname = '${new URL(into.database.url).pathname.slice(1)}' AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await pool().query(waits)).rows[0]?.waits).toBe(1)
  child.kill('SIGKILL')
  await ended
  await into.client.query('ROLLBACK')
  await into.client.query('DROP EVENT TRIGGER gate')
  const open = `SELECT count(*)::int AS open FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`
  await expect.poll(async () => (await into.client.query(open)).rows[0]?.open).toBe(0)
  expect(await relationsIn(into)).toEqual([])
  expect(await toolgate(['restore', file], { env: into.env })).toMatchObject({ code: 0 })
  const { rows } = await into.client.query('SELECT email FROM users')
  expect(rows).toEqual([{ email: 'ada@example.org' }])
})

describe('is refused, with nothing changed:', () => {
  /** Writes a backup that somebody made, with these tables and the migrations of this version. */
  async function made(
    name: string,
    change: (tables: { table: string; columns: string[]; text?: string }[]) => typeof tables,
    header: Partial<BackupHeader> = {},
  ): Promise<string> {
    const migrations = (await readMigrations()).map(({ name, checksum }) => ({ name, checksum }))
    const tables = change(await readConsoleTables(pool(), await readMigrations())).map(
      ({ table, columns, text = '' }) => ({
        table,
        columns,
        read: () => ({
          data: Readable.from(text === '' ? [] : [Buffer.from(text)]),
          rows: () => text.split('\n').length - 1,
        }),
      }),
    )
    const written = path.join(folder, name)
    const handle = await open(written, 'w')
    const usual = { product: '0.1.0', at: new Date().toISOString(), migrations, key: null }
    await writeBackup(handle, { ...usual, ...header }, tables)
    await handle.close()
    return written
  }

  async function expectRefused(
    name: string,
    words: string,
    isFound: 'before it is restored' | 'while it is restored' = 'before it is restored',
  ): Promise<void> {
    const into = await target(true)
    const before = [await hashRows(into.client), await objectsIn(into.client)]
    const refused = await toolgate(['restore', name], { env: into.env })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(words)
    expect(refused.stderr).toContain('Nothing was changed.')
    expect([await hashRows(into.client), await objectsIn(into.client)]).toEqual(before)
    expect(refused.stderr, 'steers no terminal').not.toContain('\x1b')
    if (isFound === 'while it is restored') return
    const verified = await toolgate(['restore', '--verify', name])
    expect(verified).toMatchObject({ code: 1, stdout: '', stderr: refused.stderr })
  }

  test('a newer version', async () => {
    const migrations = [{ name: '20991231000000_flying', checksum: 'a'.repeat(64) }]
    const newer = await made('newer', (tables) => tables, { product: '9.0.0', migrations })
    const words =
      'of a newer version of Toolgate (9.0.0), and this version does not know 20991231000000_flying'
    await expectRefused(newer, words)
  })

  test('a migration with another text than it has here', async () => {
    const migrations = (await readMigrations()).map(({ name }) => ({
      name,
      checksum: 'a'.repeat(64),
    }))
    await expectRefused(
      await made('edited', (tables) => tables, { migrations }),
      'changed after it was applied',
    )
  })

  test('a table of the system', async () => {
    const system = [{ table: 'pg_authid', columns: ['rolname'], text: 'eve\n' }]
    await expectRefused(
      await made('system', (tables) => [...system, ...tables]),
      'has tables that Toolgate does not make: pg_authid.',
    )
  })

  test('the same table twice', async () => {
    const twice = await made('twice', (tables) => tables.flatMap((each) => [each, each]))
    await expectRefused(twice, 'has a table twice: account_links, ')
  })

  test('a column that somebody added by hand, unless they add it to the empty installation, too', async () => {
    const columns = await made('columns', (tables) =>
      tables.map((each) =>
        each.table === 'users' ? { ...each, columns: [...each.columns, 'nickname'] } : each,
      ),
    )
    await expectRefused(columns, 'has columns that Toolgate does not make: users.nickname.')
    const into = await target(true)
    await into.client.query('ALTER TABLE users ADD COLUMN nickname text')
    await restored(columns, into)
  })

  test('a missing column', async () => {
    const columns = await made('fewer', (tables) =>
      tables.map((each) =>
        each.table === 'users'
          ? { ...each, columns: each.columns.filter((name) => name !== 'email') }
          : each,
      ),
    )
    await expectRefused(columns, 'misses columns: users.email.')
  })

  test('a missing table', async () => {
    await expectRefused(
      await made('missing', (tables) => tables.slice(1)),
      'misses tables: account_links',
    )
  })

  test('rows that are none', async () => {
    const rows = await made('rows', (tables) =>
      tables.map((each) => ({
        ...each,
        ...(each.table === 'users' && { text: '\x1b]0;nobody\n' }),
      })),
    )
    await expectRefused(rows, 'The rows of users cannot be restored', 'while it is restored')
  })

  test('rows that point to nothing', async () => {
    const uuid = '01890000-0000-7000-8000-000000000000'
    const member = { columns: ['groupId', 'userId'], text: `${uuid}\t${uuid}\n` }
    const rows = await made('dangling', (tables) =>
      tables.map((each) => (each.table === 'group_members' ? { ...each, ...member } : each)),
    )
    await expectRefused(rows, 'point to rows that it does not have', 'while it is restored')
  })
})

test('tables of others beside those of the console are neither backed up nor emptied', async () => {
  const into = await target()
  await migrate(into.database.url)
  await into.client.query('CREATE TABLE theirs AS SELECT 42 AS value')
  await restored(file, into)
  expect((await into.client.query('SELECT value FROM theirs')).rows).toEqual([{ value: 42 }])
  const beside = path.join(folder, 'beside')
  await backUpTo(beside, into.database.url)
  const next = await target()
  await restored(beside, next)
  expect(await relationsIn(next)).not.toContain('theirs')
})

test('an installation with accounts is left alone', async () => {
  const before = await pool().query('SELECT id FROM users')
  const refused = await toolgate(['restore', file])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('this is none: it has accounts or secrets. Nothing was changed.')
  expect((await pool().query('SELECT id FROM users')).rows).toEqual(before.rows)
})

test('a database with tables of something else is left alone', async () => {
  const into = await target()
  await into.client.query('CREATE TABLE theirs (id int)')
  const refused = await toolgate(['restore', file], { env: into.env })
  expect(refused.stderr).toContain('it has tables, such as theirs')
  expect(await relationsIn(into)).toEqual(['theirs'])
})
