import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostVerbs } from '@/lib/domains/hosts/verbs'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { backUp } from '@/lib/installation/backup/back-up'
import { openBackup } from '@/lib/installation/backup/backup-file'
import { migrate } from '@/lib/installation/migrate'
import { closeDatabase, openDatabase } from '@/lib/kernel/db'
import { thisHost } from '@/lib/runs/engine/instances'
import { openEngine } from '@/lib/runs/engine/open-engine'
import { engineTimes, every } from '@/lib/runs/engine/start-engine'
import { cancelRun } from '@/lib/runs/verbs'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { emptyTargets, hashRows, operator, relationsIn, restored } from '@/tests/support/restored'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { quickTimes, startTestEngine } from '@/tests/support/test-engine'
import { finish, startToolgate, toolgate } from '@/tests/support/toolgate-process'
import { workspaceFolder } from '@/tests/support/workspace-folder'

let server: ModelServer
let site: RunSite
let folder: string
const target = emptyTargets()

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-backups-'))
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const databaseUrl = () => String(process.env.DATABASE_URL)
let named = 0

function newFile(): string {
  named += 1
  return path.join(folder, `backup-${named}`)
}

/** Writes a backup of this test's database and returns its file. */
async function backedUp(): Promise<string> {
  const file = newFile()
  await backUp({ databaseUrl: databaseUrl(), file, isReplaced: false, author: operator, key: null })
  return file
}

/** Returns what the doctor says of the last backup. */
async function backupFinding() {
  const { findings } = JSON.parse((await toolgate(['doctor', '--json'])).stdout)
  const { status, detail } = findings.find(({ check }: { check: string }) => check === 'Backup')
  return { status, detail }
}

test('a backup that is killed while it is written leaves no file with its name, everything as it was, and what the next one deletes', async () => {
  const file = newFile()
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  await client.query('BEGIN')
  const before = await hashRows(client)
  await client.query('LOCK TABLE usage_spans IN ACCESS EXCLUSIVE MODE')
  const child = startToolgate(['backup', file])
  const ended = finish(child)
  await expect.poll(() => existsSync(`${file}.part`)).toBe(true)
  child.kill('SIGKILL')
  await ended
  await client.query('ROLLBACK')
  expect(existsSync(file)).toBe(false)
  expect(await hashRows(client)).toEqual(before)
  await client.end()
  await expect(openBackup(`${file}.part`)).rejects.toThrow()
  expect(await toolgate(['backup', file])).toMatchObject({ code: 0, stderr: '' })
  expect(existsSync(`${file}.part`)).toBe(false)
  await (await openBackup(file)).close()
})

test('a backup is refused while another one is written, which is whole then', async () => {
  const file = newFile()
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  await client.query('BEGIN')
  await client.query('LOCK TABLE usage_spans IN ACCESS EXCLUSIVE MODE')
  const first = toolgate(['backup', file])
  await expect.poll(() => existsSync(`${file}.part`)).toBe(true)
  const refused = await finish(startToolgate(['backup', file]))
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('Another backup of this installation is being written.')
  await client.end()
  expect(await first).toMatchObject({ code: 0, stderr: '' })
  await (await openBackup(file)).close()
})

test('a file of somebody else is not deleted because its name ends as that of an interrupted backup', async () => {
  const file = newFile()
  await writeFile(`${file}.part`, 'a download')
  const refused = await toolgate(['backup', file])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain(`${file}.part exists and is no backup that was interrupted.`)
  expect(await readFile(`${file}.part`, 'utf8')).toBe('a download')
})

test('two installations that write to the same file leave no backup that is not whole', async () => {
  const file = newFile()
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  await client.query('BEGIN')
  await client.query('LOCK TABLE usage_spans IN ACCESS EXCLUSIVE MODE')
  const first = toolgate(['backup', file])
  await expect.poll(() => existsSync(`${file}.part`)).toBe(true)
  const other = await target()
  await migrate(other.database.url)
  await other.client.query('BEGIN')
  await other.client.query('LOCK TABLE usage_spans IN ACCESS EXCLUSIVE MODE')
  const before = (await stat(`${file}.part`)).ino
  const second = finish(startToolgate(['backup', file], other.env))
  await expect
    .poll(async () => (await stat(`${file}.part`).catch(() => null))?.ino)
    .not.toBe(before)
  await client.end()
  expect((await first).stderr).toContain('Another installation writes a backup to this file.')
  expect(existsSync(file)).toBe(false)
  await other.client.query('ROLLBACK')
  expect(await second).toMatchObject({ code: 0, stderr: '' })
  await (await openBackup(file)).close()
})

test('a run that was active in a backup ends in the restored installation, even if that is unfrozen at once', async () => {
  const engine = await startTestEngine()
  const { runId } = await start(site, `[[say slowly 200ms: ${'on and '.repeat(500)}on]]`)
  await collect(site.admin, runId, { until: ({ type }) => type === 'text-delta' })
  const file = await backedUp()
  const into = await target()
  await restored(file, into)
  const stateOf = async () =>
    (await into.client.query('SELECT status, "endReason" FROM runs WHERE id = $1', [runId])).rows[0]
  expect(await stateOf()).toMatchObject({ status: 'running' })
  await into.client.query("DELETE FROM settings WHERE key = 'freeze'")
  const other = openDatabase(into.database.url, 5)
  const times = { ...engineTimes, ...quickTimes }
  const opened = await openEngine({
    kind: 'server',
    database: other,
    host: thisHost(),
    every,
    times,
  })
  await expect.poll(stateOf).toEqual({ status: 'ended', endReason: 'frozen' })
  await opened.close()
  await closeDatabase(other)
  expect(await db().run.findUnique({ where: { id: runId } })).toMatchObject({ status: 'running' })
  await cancelRun(site.admin, { runId })
  await collect(site.admin, runId)
  await engine.close()
})

test('without its vault key, a restored installation starts when the old key is put in place', async () => {
  // The first start plants what keys are compared with.
  await toolgate(['freeze', 'status'])
  const file = newFile()
  await toolgate(['backup', file, '--with-key'], { input: 'correct horse battery' })
  const into = await target()
  const env = { ...into.env, TOOLGATE_VAULT_KEY: '' }
  const keyFile = path.join(String(into.env.TOOLGATE_DATA_DIR), 'vault-key')
  const done = await toolgate(['restore', file, '--without-key'], { env })
  expect(done).toMatchObject({ code: 0, stderr: '' })
  expect(done.stdout).toContain(`Before the first start, put the old one into ${keyFile}.`)
  const refused = await toolgate(['freeze', 'status'], { env })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('is not the one this database was set up with')
  await writeFile(keyFile, String(process.env.TOOLGATE_VAULT_KEY))
  const started = await toolgate(['freeze', 'status'], { env })
  expect(started.stdout).toContain('This installation was restored from a backup')
})

describe('the place of a backup', () => {
  const refusal = async (file: string) => (await toolgate(['backup', file])).stderr

  test('is no folder that tools or everybody may read, also not by a link', async () => {
    const admin = await addPerson('admin')
    const inside = workspaceFolder('backed-up')
    await workspaceVerbs.create(admin, { name: 'notes', folder: inside })
    expect(await refusal(path.join(inside, 'backup'))).toContain(
      'is in a workspace, whose files tools read',
    )
    const link = path.join(folder, 'link')
    await symlink(inside, link)
    expect(await refusal(path.join(link, 'backup'))).toContain('is in a workspace')
    expect(await refusal(path.resolve('public/backup'))).toContain('that everybody may load')
    expect(await readdir(inside)).toEqual([])
    await rm(inside, { recursive: true })
  })

  test('is a folder that exists, and not the name of another file but with --force', async () => {
    expect(await refusal(path.join(folder, 'none/backup'))).toContain('Make it first.')
    const file = newFile()
    await writeFile(file, 'something else', { mode: 0o644 })
    expect(await refusal(file)).toContain(
      `${file} exists. Pick another name, or replace it with --force.`,
    )
    expect(await readFile(file, 'utf8')).toBe('something else')
    expect(await toolgate(['backup', file, '--force'])).toMatchObject({ code: 0 })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })
})

test('a passphrase has at least 12 characters, and is no argument', async () => {
  const file = newFile()
  const short = await toolgate(['backup', file, '--with-key'], { input: 'elevenchars\n' })
  expect(short.stderr).toContain('A passphrase has at least 12 characters.')
  expect(existsSync(file)).toBe(false)
  const argument = await toolgate(['backup', file, '--with-key', 'correct horse battery'])
  expect(argument).toMatchObject({ code: 2, stdout: '' })
})

describe('toolgate backup and restore', () => {
  test('bring the rows and the vault key to an empty installation, which is frozen', async () => {
    const admin = await addPerson('admin')
    await hostVerbs.create(admin, { name: 'https://example.org' })
    const file = newFile()
    const passphrase = 'correct horse battery\n'
    const written = await toolgate(['backup', file, '--with-key'], { input: passphrase })
    expect(written).toMatchObject({ code: 0, stderr: '' })
    expect(written.stdout).toContain('The vault key is in it')
    const bytes = await readFile(file)
    expect(bytes.includes(String(process.env.TOOLGATE_VAULT_KEY))).toBe(false)
    const into = await target()
    const env = { ...into.env, TOOLGATE_VAULT_KEY: '' }
    const wrong = await toolgate(['restore', file], { input: 'another passphrase', env })
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toContain('The passphrase is not the one of this backup.')
    expect(await relationsIn(into)).toEqual([])
    const done = await toolgate(['restore', file], { input: passphrase, env })
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(done.stdout).toContain('The site is frozen until an admin unfreezes it.')
    expect(done.stdout).not.toContain('vault key')
    const keyFile = path.join(String(into.env.TOOLGATE_DATA_DIR), 'vault-key')
    expect((await readFile(keyFile, 'utf8')).trim()).toBe(process.env.TOOLGATE_VAULT_KEY)
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
    const { rows } = await into.client.query('SELECT name, enabled FROM hosts')
    expect(rows).toEqual([{ name: 'https://example.org', enabled: false }])
    const status = await toolgate(['freeze', 'status'], { env })
    expect(status.stdout).toContain('This installation was restored from a backup of 20')
    expect(await backupFinding()).toEqual({
      status: 'ok',
      detail: expect.stringContaining('of 20'),
    })
    const at = new Date(Date.now() - 8 * 24 * 60 * 60_000)
    await db().auditEntry.updateMany({
      where: { action: 'site.back-up' },
      data: { at, after: { file, at: at.toISOString() } },
    })
    expect(await backupFinding()).toMatchObject({ status: 'warn' })
    const again = await toolgate(['restore', file], { input: passphrase, env })
    expect(again.stderr).toContain('this is none: it has accounts or secrets')
  })

  test.each([
    ['is not text', Buffer.alloc(40, 0xff), 'The passphrase is not UTF-8 text.'],
    ['is short once its accents are letters', 'e\u0301'.repeat(6), 'has at least 12 characters'],
  ])('refuse a new passphrase that %s', async (_what, content, words) => {
    const passphraseFile = newFile()
    await writeFile(passphraseFile, content)
    const file = newFile()
    const refused = await toolgate(['backup', file, '--passphrase-file', passphraseFile])
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(words)
    expect(existsSync(file)).toBe(false)
  })
})
