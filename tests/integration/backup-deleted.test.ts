import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readLastBackup } from '@/lib/domains/backups/last-backup'
import { readBackups } from '@/lib/domains/backups/read-backups'
import { deleteBackup } from '@/lib/domains/backups/verbs'
import { lastBackupAt } from '@/lib/installation/backup/last-backup'
import type { Ctx } from '@/lib/kernel/context'
import { pool } from '@/lib/kernel/db'
import { ConflictError } from '@/lib/kernel/errors'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { setEnv } from '@/tests/support/test-process'

let admin: Ctx
let data: string
const former = process.env.TOOLGATE_DATA_DIR
const name = '2026-01-02T030000.000Z.backup'
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 60 * 60_000)
const fileOf = (which: string) => path.join(data, 'backups', which)

beforeAll(async () => {
  admin = await addPerson('admin')
})
beforeEach(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'toolgate-data-'))
  setEnv({ TOOLGATE_DATA_DIR: data })
  await mkdir(path.join(data, 'backups'))
  await db().auditEntry.deleteMany()
})
afterEach(() => rm(data, { recursive: true, force: true }))
afterAll(() => setEnv({ TOOLGATE_DATA_DIR: former }))

/** Puts a backup there that was written to its end at `at` of the snapshot of `snapshotAt`, as the audit says. */
async function plant(which: string, at: Date, snapshotAt = at): Promise<void> {
  await writeFile(fileOf(which), which)
  const entry = { action: 'site.back-up', objectType: 'site', actorLabel: 'system', at }
  const after = { file: fileOf(which), at: snapshotAt.toISOString(), bytes: 1 }
  await db().auditEntry.create({ data: { ...entry, after } })
}

/** Deletes the backup while the audit takes no entry, does `meanwhile` then, and returns what came of the deletion. */
async function deleteWhileAuditIsClosed(meanwhile: (closed: pg.Client) => Promise<unknown>) {
  const closed = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await closed.connect()
  try {
    await closed.query('BEGIN')
    await closed.query('LOCK TABLE audit_entries IN SHARE ROW EXCLUSIVE MODE')
    const deletion = Promise.allSettled([deleteBackup(admin, { name })])
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
      AND wait_event_type = 'Lock' AND query LIKE 'INSERT INTO "public"."audit_entries"%'`
    await expect.poll(async () => (await pool().query(waiting)).rowCount).toBe(1)
    await meanwhile(closed)
    await closed.query('ROLLBACK')
    return (await deletion)[0]
  } finally {
    await closed.end()
  }
}

const actions = async () =>
  (await db().auditEntry.findMany({ orderBy: { at: 'asc' } })).map(({ action }) => action)

test('a backup whose deletion cannot be audited stays', async () => {
  await writeFile(fileOf(name), name)
  const outcome = await deleteWhileAuditIsClosed((closed) =>
    closed.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`),
  )
  expect(outcome?.status).toBe('rejected')
  expect([existsSync(fileOf(name)), await actions()]).toEqual([true, []])
})

test('a backup that cannot be deleted is in the audit as still there', async () => {
  await plant(name, hoursAgo(1))
  const outcome = await deleteWhileAuditIsClosed(async () => {
    await rm(fileOf(name))
    await mkdir(fileOf(name))
  })
  expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(ConflictError) })
  expect(Object(outcome).reason.message).toContain(`${fileOf(name)} is still there`)
  expect(await actions()).toEqual(['site.back-up', 'backup.delete', 'backup.fail-delete'])
})

test('a backup that is still there after its deletion is shown so', async () => {
  await plant(name, hoursAgo(3))
  const deletion = { action: 'backup.delete', objectType: 'backup', objectId: name }
  await db().auditEntry.create({
    data: { ...deletion, actorLabel: 'system', at: hoursAgo(2), before: { file: fileOf(name) } },
  })
  const { files, last } = await readBackups(admin)
  expect(files).toMatchObject([{ name, isDeleted: true }])
  expect(last).toMatchObject({ type: 'written', isDeleted: true })
  // Another one of this name, written since, is not deleted.
  await plant(name, hoursAgo(1))
  expect((await readBackups(admin)).files).toMatchObject([{ name, isDeleted: false }])
})

test('a deleted backup is not the last one, and the one before it is', async () => {
  const newer = '2026-01-03T030000.000Z.backup'
  const older = hoursAgo(48)
  await plant(name, older)
  await plant(newer, hoursAgo(24))
  await deleteBackup(admin, { name: newer })
  expect((await readLastBackup()).at).toEqual(older)
  await deleteBackup(admin, { name })
  expect([(await readLastBackup()).at, await lastBackupAt(pool())]).toEqual([null, null])
})

test('the age of a backup counts from its snapshot, which is what a restore returns to', async () => {
  const [began, ended] = [hoursAgo(30), hoursAgo(20)]
  await plant(name, ended, began)
  expect([(await readLastBackup()).at, await lastBackupAt(pool())]).toEqual([began, began])
})
