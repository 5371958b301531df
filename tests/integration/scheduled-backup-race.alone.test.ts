import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backUpOnSchedule } from '@/lib/domains/backups/scheduled-backup'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { setEnv } from '@/tests/support/test-process'

const former = process.env.TOOLGATE_DATA_DIR
const gate = new pg.Client({ connectionString: process.env.DATABASE_URL })
let data: string

/** The first connection that is opened after this waits while the gate is closed. */
const closing = `
  CREATE SCHEMA gate; CREATE TABLE gate.closed (); CREATE SEQUENCE gate.connections;
  CREATE FUNCTION gate.wait() RETURNS event_trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF nextval('gate.connections') = 1 THEN LOCK TABLE gate.closed IN ACCESS SHARE MODE; END IF;
  END $$;
  CREATE EVENT TRIGGER gate ON login EXECUTE FUNCTION gate.wait()`
const waiting = `SELECT 1 FROM pg_locks WHERE relation = 'gate.closed'::regclass AND NOT granted`

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'toolgate-data-'))
  setEnv({ TOOLGATE_DATA_DIR: data })
  await gate.connect()
})
afterAll(async () => {
  await gate.query('ROLLBACK')
  await gate.query('DROP EVENT TRIGGER IF EXISTS gate; DROP SCHEMA IF EXISTS gate CASCADE')
  await gate.end()
  setEnv({ TOOLGATE_DATA_DIR: former })
  await rm(data, { recursive: true, force: true })
})

test('the second of two servers that find the same backup due writes none once the first has written it', async () => {
  await updateSettings(await addPerson('admin'), { backupHour: '03:00' })
  await db()
    .$executeRaw`UPDATE settings SET "updatedAt" = "updatedAt" - interval '2 days' WHERE key LIKE 'backup%'`
  await db().auditEntry.deleteMany()
  const notFrozen = () => Promise.resolve(false)
  await gate.query(closing)
  await gate.query('BEGIN')
  await gate.query('LOCK TABLE gate.closed IN ACCESS EXCLUSIVE MODE')
  // It found the backup due, and waits for the connection over which it takes the lock of backups.
  const second = backUpOnSchedule(notFrozen)
  await expect.poll(async () => (await gate.query(waiting)).rowCount).toBe(1)
  await backUpOnSchedule(notFrozen)
  const written = await readdir(path.join(data, 'backups'))
  expect(written).toHaveLength(1)
  await gate.query('ROLLBACK')
  await second
  expect(await readdir(path.join(data, 'backups'))).toEqual(written)
  expect(await db().auditEntry.findMany()).toMatchObject([{ action: 'site.back-up' }])
})
