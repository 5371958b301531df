import { existsSync } from 'node:fs'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliverBackupAlerts } from '@/lib/domains/backups/deliver-backup-alerts'
import { readLastBackup } from '@/lib/domains/backups/last-backup'
import { readBackups } from '@/lib/domains/backups/read-backups'
import { backUpOnSchedule } from '@/lib/domains/backups/scheduled-backup'
import { deleteBackup, startBackup } from '@/lib/domains/backups/verbs'
import { writeBackupHere } from '@/lib/domains/backups/write-backup'
import type { ChannelMessage } from '@/lib/domains/channels/shared/delivery'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import { SiteSettings } from '@/lib/domains/settings/shape'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { examineBackup, openBackup } from '@/lib/installation/backup/backup-file'
import { type Ctx, systemCtx } from '@/lib/kernel/context'
import { ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { advisoryLocks } from '@/lib/kernel/locks'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { removeChannels, webhookAt } from '@/tests/support/channels'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { setEnv } from '@/tests/support/test-process'
import { toolgate } from '@/tests/support/toolgate-process'
import { workspaceFolder } from '@/tests/support/workspace-folder'

let admin: Ctx
let data: string
const former = process.env.TOOLGATE_DATA_DIR
const dayMs = 24 * 60 * 60_000
const withoutKey = { passphrase: null }
const passphrase = 'correct horse battery'
const notFrozen = () => Promise.resolve(false)

beforeAll(async () => {
  admin = await addPerson('admin')
})
beforeEach(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'toolgate-data-'))
  setEnv({ TOOLGATE_DATA_DIR: data })
  await db().auditEntry.deleteMany()
  await db().setting.deleteMany({ where: { key: { startsWith: 'backup' } } })
})
afterEach(async () => {
  await removeChannels()
  await rm(data, { recursive: true, force: true })
})
afterAll(() => setEnv({ TOOLGATE_DATA_DIR: former }))

const folder = () => path.join(data, 'backups')
const files = async () => (await readdir(folder())).toSorted()

/** Waits for the backup that was begun, and returns the entry of the audit about it. */
async function outcome() {
  const entry = () =>
    db().auditEntry.findFirst({
      where: { action: { in: ['site.back-up', 'site.fail-back-up'] } },
      orderBy: { at: 'desc' },
    })
  await expect.poll(async () => (await readBackups(admin)).running).toBeNull()
  await expect.poll(entry).not.toBeNull()
  return entry()
}

async function contentsOf(name: string) {
  const backup = await openBackup(path.join(folder(), name))
  try {
    return await examineBackup(backup)
  } finally {
    await backup.close()
  }
}

/** Lets the next time of the schedule be one that passed: everything that counts happened two days before. */
async function passDays(): Promise<void> {
  await db()
    .$executeRaw`UPDATE settings SET "updatedAt" = "updatedAt" - interval '2 days' WHERE key LIKE 'backup%'`
  await db().$executeRaw`UPDATE audit_entries SET at = at - interval '2 days'`
}

/** Asks for a daily backup, as if two days ago. */
async function schedule(kept = 7): Promise<void> {
  await updateSettings(admin, {
    backupHour: '03:00',
    backupZone: 'Europe/Berlin',
    backupsKept: kept,
  })
  await passDays()
}

/** Puts a file of this name there, which the schedule wrote, as the audit says. */
async function plant(name: string): Promise<void> {
  const file = path.join(folder(), name)
  await writeFile(file, name)
  const entry = { action: 'site.back-up', objectType: 'site', actorLabel: 'system' }
  const at = new Date(Date.now() - 3 * dayMs)
  await db().auditEntry.create({ data: { ...entry, at, after: { file, isScheduled: true } } })
}

describe('a backup from the console', () => {
  test('is a private file that the command line accepts, and an entry of the audit', async () => {
    await startBackup(admin, withoutKey)
    const entry = await outcome()
    const [name = ''] = await files()
    const file = path.join(folder(), name)
    const { size: bytes, mode } = await stat(file)
    expect(entry).toMatchObject({
      action: 'site.back-up',
      actorId: admin.actor.userId,
      actorLabel: admin.actor.email,
      after: { file, bytes, hasKey: false },
    })
    expect([mode & 0o777, (await stat(folder())).mode & 0o777]).toEqual([0o600, 0o700])
    const verified = await toolgate(['restore', '--verify', file])
    expect(verified).toMatchObject({ code: 0, stderr: '' })
    expect(verified.stdout).toContain('The vault key is not in it.')
    expect((await readBackups(admin)).files).toMatchObject([
      { name, bytes, hasKey: false, isScheduled: false, by: admin.actor.email },
    ])
    expect((await readBackups(admin)).files[0]?.checkedAt).not.toBeNull()
  })

  test('has the vault key only with a passphrase, which nothing keeps', async () => {
    const short = startBackup(admin, { passphrase: 'elevenchars' })
    await expect(short).rejects.toThrow(ValidationError)
    await expect(startBackup(admin, { passphrase: 'é'.repeat(600) })).rejects.toThrow('1024 bytes')
    expect(existsSync(folder())).toBe(false)
    await startBackup(admin, { passphrase })
    expect(await outcome()).toMatchObject({ after: { hasKey: true } })
    const [name = ''] = await files()
    expect((await contentsOf(name)).header.key).not.toBeNull()
    const kept = [await db().auditEntry.findMany(), await db().logEntry.findMany()]
    expect(JSON.stringify([kept, await db().setting.findMany()])).not.toContain(passphrase)
  })

  test.each([
    ['begun', (ctx: Ctx) => startBackup(ctx, withoutKey)],
    ['deleted', (ctx: Ctx) => deleteBackup(ctx, { name: '2026-01-01T000000.000Z.backup' })],
    ['scheduled', (ctx: Ctx) => updateSettings(ctx, { backupHour: '03:00' })],
    ['kept in other numbers', (ctx: Ctx) => updateSettings(ctx, { backupsKept: 1 })],
  ])('is not %s by a member, an API key, or without a fresh proof', async (_title, act) => {
    const member = await addPerson('member')
    await expect(act(member)).rejects.toThrow(ForbiddenError)
    const apiKeyId = '01890000-0000-7000-8000-000000000000'
    await expect(act({ ...admin, via: 'api', apiKeyId })).rejects.toThrow('API keys cannot write')
    const stale = new ForbiddenError('Confirm first.')
    const requireProof = () => {
      throw stale
    }
    await expect(act({ ...admin, requireProof })).rejects.toBe(stale)
    expect(existsSync(folder())).toBe(false)
    expect(await db().auditEntry.count()).toBe(0)
  })

  test('has no address of the API, whatever the scopes of a key', async () => {
    const key = await apiKeyOf(admin, 'settings:write', 'settings:read')
    const answer = await askApi('PATCH', '/settings', { key, json: { backupsKept: 1 } })
    expect(answer.status).toBe(403)
    expect([startBackup, deleteBackup].map(({ definition }) => definition.scope)).toEqual([
      null,
      null,
    ])
  })

  test('is one at a time, and a second press starts no other', async () => {
    const presses = await Promise.allSettled([1, 2, 3].map(() => startBackup(admin, withoutKey)))
    await outcome()
    expect(presses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = presses.filter((each) => each.status === 'rejected')
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ code: 'conflict', message: expect.stringContaining('Wait') })
    }
    expect(await files()).toHaveLength(1)
    expect(await db().auditEntry.count({ where: { action: 'site.fail-back-up' } })).toBe(0)
  })

  test('is shown while it is written, by whichever process, and refused meanwhile', async () => {
    const other = new pg.Client({ connectionString: process.env.DATABASE_URL })
    await other.connect()
    await other.query('SELECT pg_advisory_lock($1)', [advisoryLocks.backup])
    await mkdir(folder(), { recursive: true })
    const draft = path.join(folder(), '2026-01-01T000000.000Z.backup.part')
    await writeFile(draft, 'half')
    const { running, hasUnfinished } = await readBackups(admin)
    expect([running?.bytes, hasUnfinished]).toEqual([4, false])
    await expect(startBackup(admin, withoutKey)).rejects.toThrow('Another backup is being written')
    const command = await toolgate(['backup', path.join(data, 'by-hand')])
    expect(command.stderr).toContain('Another backup of this installation is being written.')
    expect(existsSync(draft)).toBe(true)
    await other.end()
    await expect.poll(async () => (await readBackups(admin)).hasUnfinished).toBe(true)
    // Another installation with the same folder may write it, whose lock is in another database.
    await backUpOnSchedule(notFrozen)
    expect(existsSync(draft)).toBe(true)
    // A draft of a killed process is swept; files of other names and folders stay.
    const hoursAgo = new Date(Date.now() - 2 * 60 * 60_000)
    await utimes(draft, hoursAgo, hoursAgo)
    await mkdir(path.join(folder(), '2025-01-01T000000.000Z.backup.part'))
    await utimes(path.join(folder(), '2025-01-01T000000.000Z.backup.part'), hoursAgo, hoursAgo)
    await writeFile(path.join(folder(), 'mine.part'), 'kept')
    await startBackup(admin, withoutKey)
    await outcome()
    expect((await files()).filter((name) => name.endsWith('.part'))).toEqual([
      '2025-01-01T000000.000Z.backup.part',
      'mine.part',
    ])
  })

  test('closes a folder that was open to others', async () => {
    await mkdir(folder())
    await chmod(folder(), 0o755)
    await startBackup(admin, withoutKey)
    await outcome()
    expect((await stat(folder())).mode & 0o777).toBe(0o700)
  })

  test('is refused where its folder is a link into a workspace, whose files tools read', async () => {
    const inside = workspaceFolder('console-backups')
    await workspaceVerbs.create(admin, { name: 'notes', folder: inside })
    const before = (await stat(inside)).mode
    await symlink(inside, folder())
    await expect(startBackup(admin, withoutKey)).rejects.toThrow('is in a workspace')
    expect([await readdir(inside), (await stat(inside)).mode]).toEqual([[], before])
    await db().workspace.deleteMany()
    await rm(inside, { recursive: true })
  })

  test('that cannot be written says why at once, and in the audit', async () => {
    await writeFile(folder(), 'no folder')
    await expect(startBackup(admin, withoutKey)).rejects.toMatchObject({
      code: 'conflict',
      message: `${folder()} is not a folder: move what is there, then back up again.`,
    })
    expect(await outcome()).toMatchObject({
      action: 'site.fail-back-up',
      actorId: admin.actor.userId,
      after: { cause: expect.stringContaining('is not a folder') },
    })
    expect((await readBackups(admin)).last).toMatchObject({ type: 'failed' })
    expect((await readBackups(admin)).unreadable).toContain('ENOTDIR')
  })

  test('is deleted by its name alone, which is audited', async () => {
    await startBackup(admin, withoutKey)
    await outcome()
    const [name = ''] = await files()
    await writeFile(path.join(data, 'vault-key'), 'secret')
    for (const other of ['../vault-key', `../backups/${name}`, '/etc/passwd', `${name}.part`]) {
      await expect(deleteBackup(admin, { name: other })).rejects.toThrow(ValidationError)
    }
    const none = { name: '2026-01-01T000000.000Z.backup' }
    await expect(deleteBackup(admin, none)).rejects.toThrow(NotFoundError)
    await deleteBackup(admin, { name })
    expect(await files()).toEqual([])
    expect(await db().auditEntry.findFirst({ where: { action: 'backup.delete' } })).toMatchObject({
      objectType: 'backup',
      objectId: name,
      actorLabel: admin.actor.email,
      before: { file: path.join(folder(), name) },
    })
  })
})

describe('the schedule', () => {
  test('writes one backup for each time, of several servers one', async () => {
    await backUpOnSchedule(notFrozen)
    expect(existsSync(folder())).toBe(false)
    await schedule()
    await Promise.all([1, 2, 3].map(() => backUpOnSchedule(notFrozen)))
    await backUpOnSchedule(notFrozen)
    const names = await files()
    expect(names).toEqual([expect.stringMatching(/-scheduled\.backup$/)])
    expect((await contentsOf(names[0] ?? '')).header.key).toBeNull()
    const entries = await db().auditEntry.findMany({ where: { action: 'site.back-up' } })
    expect(entries).toMatchObject([
      { actorId: null, actorLabel: 'system', after: { isScheduled: true, hasKey: false } },
    ])
  })

  test('asks once more whether it is due when no other backup can begin', async () => {
    const order = { passphrase: null, isScheduled: true, begun: () => Promise.resolve(false) }
    expect(await writeBackupHere(systemCtx(), order)).toEqual({ type: 'not-begun' })
    expect(await files()).toEqual([])
    expect(await db().auditEntry.count()).toBe(0)
  })

  test('waits for its hour after it was set', async () => {
    const hour = String(new Date().getUTCHours()).padStart(2, '0')
    await updateSettings(admin, { backupHour: SiteSettings.shape.backupHour.parse(`${hour}:00`) })
    await backUpOnSchedule(notFrozen)
    expect(existsSync(folder())).toBe(false)
  })

  test('is not ended by a clock that was years ahead for a while', async () => {
    await schedule()
    const entry = { action: 'site.back-up', objectType: 'site', actorLabel: 'system' }
    const at = new Date(Date.now() + 900 * dayMs)
    await db().auditEntry.create({ data: { ...entry, at, after: { isScheduled: true } } })
    await db().auditEntry.create({ data: { ...entry, at: new Date(Date.now() - 9 * dayMs) } })
    expect((await readLastBackup()).at?.getTime()).toBeLessThan(Date.now())
    await db().$executeRaw`UPDATE settings SET "updatedAt" = ${at} WHERE key LIKE 'backup%'`
    expect((await readLastBackup()).overdueDays).toBe(9)
    await backUpOnSchedule(notFrozen)
    await backUpOnSchedule(notFrozen)
    expect(await files()).toHaveLength(1)
  })

  test('keeps so many of its own, and every one that a person made', async () => {
    await schedule(2)
    await mkdir(folder())
    const byHand = ['2026-01-01T000000.000Z.backup', 'monday', '2025-01-01-scheduled.backup']
    for (const name of byHand) await writeFile(path.join(folder(), name), name)
    const own = [1, 2, 3].map((day) => `2026-01-0${day}T030000.000Z-scheduled.backup`)
    for (const name of own) await plant(name)
    // The clock was wrong then: it counts as the newest by its name, and what was just written stays.
    const wrong = '2999-01-01T030000.000Z-scheduled.backup'
    await plant(wrong)
    // A backup of another installation with this data folder neither counts nor goes.
    const strange = [
      '2026-01-09T030000.000Z-scheduled.backup',
      '2998-01-01T030000.000Z-scheduled.backup',
    ]
    for (const name of strange) await writeFile(path.join(folder(), name), name)
    await backUpOnSchedule(notFrozen)
    const entry = await outcome()
    const written = path.basename(String(Object(entry?.after).file))
    expect(await files()).toEqual([...byHand, ...strange, wrong, written].toSorted())
    const deleted = await db().auditEntry.findMany({ where: { action: 'backup.delete' } })
    expect(deleted.map(({ objectId }) => objectId).toSorted()).toEqual(own)
    expect(deleted[0]).toMatchObject({ actorLabel: 'system', reason: 'The schedule keeps 2.' })
  })

  test('deletes nothing while the site is frozen', async () => {
    await schedule(1)
    await mkdir(folder())
    const old = '2026-01-01T030000.000Z-scheduled.backup'
    await plant(old)
    await backUpOnSchedule(() => Promise.resolve(true))
    expect(await files()).toContain(old)
    expect(await files()).toHaveLength(2)
  })

  test('that cannot write deletes nothing and sends one message; the next day it tries again', async () => {
    await channelVerbs.create(admin, webhookAt('http://127.0.0.1:9/hook'))
    const sent: ChannelMessage[] = []
    const deliver = () =>
      deliverBackupAlerts(db(), (_channel, message) => {
        sent.push(message)
        const fine = { trouble: null, failure: null, status: 200, retryAfterSeconds: null }
        return Promise.resolve({ isAccepted: true, ...fine })
      })
    await schedule(1)
    await writeFile(folder(), 'no folder')
    await startBackup(admin, withoutKey).catch(() => undefined)
    await deliver()
    // The person who pressed the button sees the result.
    expect(sent).toEqual([])
    for (const _tick of [1, 2]) {
      await backUpOnSchedule(notFrozen)
      await Promise.all([deliver(), deliver()])
    }
    expect(sent).toMatchObject([
      {
        title: 'The scheduled backup failed',
        text: expect.stringContaining(`${folder()} is not a folder: move what is there`),
        data: { type: 'backup-failed', url: 'http://localhost:3000/settings/backups' },
      },
    ])
    await rm(folder())
    await passDays()
    await backUpOnSchedule(notFrozen)
    expect(await files()).toHaveLength(1)
    expect((await readBackups(admin)).last).toMatchObject({ type: 'written' })
  })
})
