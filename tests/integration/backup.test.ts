import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hostVerbs } from '@/lib/domains/hosts/verbs'
import { backUp } from '@/lib/installation/backup/back-up'
import { openBackup } from '@/lib/installation/backup/backup-file'
import { uploadFile } from '@/lib/runs/files/upload-file'
import { db } from '../support/fixture-db'
import { turnOfPrompt } from '../support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '../support/model-server/start-model-server'
import { addPerson } from '../support/people'
import {
  type EmptyTarget,
  emptyTarget,
  hashRows,
  operator,
  relationsIn,
  restored,
} from '../support/restored'
import { addRunSite, collect, type RunSite, start } from '../support/run-site'
import { startTestEngine } from '../support/test-engine'
import { finish, startToolgate, toolgate } from '../support/toolgate-process'

let server: ModelServer
let site: RunSite
let folder: string
const targets: EmptyTarget[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-backups-'))
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
})

afterEach(async () => {
  for (const target of targets.splice(0)) await target.close()
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const pngHead = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', 'latin1')
const databaseUrl = () => String(process.env.DATABASE_URL)
let named = 0

function newFile(): string {
  named += 1
  return path.join(folder, `backup-${named}`)
}

async function target(): Promise<EmptyTarget> {
  named += 1
  const made = await emptyTarget(`_target_${named}`)
  targets.push(made)
  return made
}

/** Writes a backup of this test's database and returns its file, with the hashes of the rows that it saw. */
async function backedUp(): Promise<{ file: string; snapshot: Map<string, string> }> {
  const file = newFile()
  let snapshot = new Map<string, string>()
  const read = async (client: pg.Client) => {
    snapshot = await hashRows(client)
    return randomBytes(32)
  }
  const key = { passphrase: 'a long passphrase', read }
  await backUp({ databaseUrl: databaseUrl(), file, isReplaced: false, author: operator, key })
  return { file, snapshot }
}

/** Does something while four people start runs and one uploads a file after the other. */
async function underLoad<T>(work: () => Promise<T>): Promise<T> {
  const isOver = new AbortController()
  const repeat = async (step: () => Promise<unknown>) => {
    while (!isOver.signal.aborted) await step()
  }
  const run = async () => {
    const { runId } = await start(site, '[[say: hello]]')
    await collect(site.admin, runId)
  }
  for (let file = 0; file < 12; file += 1) await upload()
  const loads = Promise.all([run, run, run, run, upload].map(repeat))
  try {
    await Promise.race([loads, expect.poll(() => db().run.count()).toBeGreaterThan(4)])
    return await work()
  } finally {
    isOver.abort()
    await loads
  }
}

/** Uploads noise as a new person, because each may have few files that no run uses. */
async function upload(): Promise<void> {
  const content = Buffer.concat([pngHead, randomBytes(256 * 1024)])
  const pieces = [new Uint8Array(content)]
  await uploadFile(await addPerson('member'), { name: 'noise', pieces, dataClass: null })
}

describe('a backup', () => {
  test('taken while runs and uploads go on has every row of its moment, and restores it', async () => {
    const engine = await startTestEngine()
    const { file, snapshot } = await underLoad(backedUp)
    await engine.close()
    expect(await restored(file, await target())).toEqual(snapshot)
    expect(snapshot.size).toBeGreaterThan(70)
    expect(snapshot.get('file_contents')).toMatch(/^\d\d/)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(existsSync(`${file}.part`)).toBe(false)
    const entries = await db().auditEntry.findMany({ where: { action: 'site.back-up' } })
    expect(entries).toMatchObject([{ actorLabel: operator.label, after: { file, hasKey: true } }])
  })

  test('killed while it is written leaves no file with its name, and everything as it was', async () => {
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
    const again = await toolgate(['backup', file])
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toContain(`${file}.part exists: a backup to this file is being written`)
    await rm(`${file}.part`)
    expect(await toolgate(['backup', file])).toMatchObject({ code: 0, stderr: '' })
  })
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
    const again = await toolgate(['restore', file], { input: passphrase, env })
    expect(again.stderr).toContain('this is none: it has accounts or secrets')
  })

  test('refuse a folder that tools or everybody may read, also behind a link', async () => {
    const open = await mkdtemp(path.join(folder, 'open-'))
    await mkdir(path.join(open, 'deep'))
    const link = path.join(folder, 'link')
    await symlink(path.join(open, 'deep'), link)
    const row = { name: 'open', folder: open, realFolder: open, createdByLabel: 'ada@example.org' }
    await db().workspace.create({ data: row })
    for (const place of [open, link, path.resolve('public')]) {
      const refused = await toolgate(['backup', path.join(place, 'backup')])
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toContain('a backup holds everything of this installation')
    }
    expect(await readdir(path.join(open, 'deep'))).toEqual([])
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
