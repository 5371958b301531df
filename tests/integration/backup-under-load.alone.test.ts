import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostVerbs } from '@/lib/domains/hosts/verbs'
import { storageVerbs } from '@/lib/domains/storages/verbs'
import { keyOfDatabase } from '@/lib/domains/vault/key-of-database'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { backUp } from '@/lib/installation/backup/back-up'
import type { Ctx } from '@/lib/kernel/context'
import { pool } from '@/lib/kernel/db'
import { uploadFile } from '@/lib/runs/files/upload-file'
import { apiKeyOf } from '@/tests/support/api-client'
import {
  type ApprovalSite,
  append,
  decide,
  openApprovalSite,
  startOne,
} from '@/tests/support/approval-site'
import { addAsset, pngHead } from '@/tests/support/assets'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { emptyTargets, hashRows, type LeftOut, operator } from '@/tests/support/restored'
import { collect, start } from '@/tests/support/run-site'
import { toolgate } from '@/tests/support/toolgate-process'
import { workspaceFolder } from '@/tests/support/workspace-folder'
import { addContents } from '@/tools/scale/contents'
import { seed } from '@/tools/scale/seed'

/** An installation of about 50 MB, on which people work while it is backed up. */
let site: ApprovalSite
let hostId: string
let storageId: string
const folders: string[] = []
const target = emptyTargets()
const megabyte = 1024 * 1024

beforeAll(async () => {
  folders.push(workspaceFolder('loaded'), await mkdtemp(path.join(tmpdir(), 'toolgate-loaded-')))
  site = await openApprovalSite()
  await site.addRule()
  await workspaceVerbs.create(site.admin, { name: 'notes', folder: String(folders[0]) })
  hostId = (await hostVerbs.create(site.admin, { name: 'https://example.org' })).id
  await addSwitchedOn(site.admin)
  storageId = (await storageVerbs.create(site.admin, { name: 'Media' })).id
  await apiKeyOf(site.admin, 'runs:read')
  const client = new pg.Client({ connectionString: String(process.env.DATABASE_URL) })
  await client.connect()
  await seed(client, site.admin, { runs: 900, events: 18_000, usage: 1_800 })
  await addContents(client, site.admin, 20)
  await client.end()
  await site.startEngine()
})

afterAll(async () => {
  await site.close()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** Adds one of each kind that a restore switches off, and what it ends. Nothing here uses them. */
async function addSwitchedOn({ actor }: Ctx): Promise<void> {
  const { userId } = actor
  const by = { name: 'of the backup', createdByLabel: actor.email }
  await db().host.create({ data: by })
  await db().channel.create({ data: { ...by, kind: 'webhook' } })
  await db().dataSource.create({ data: { ...by, kind: 'postgresql' } })
  await db().schedule.create({
    data: { ...by, userId, cron: '0 0 1 1 *', timeZone: 'UTC', prompt: '' },
  })
  await db().searchEndpoint.create({ data: { ...by, kind: 'searxng' } })
  await db().server.create({ data: { ...by, kind: 'http' } })
  await db().site.create({ data: { ...by, address: 'https://example.org' } })
  const expiresAt = new Date(Date.now() + 3_600_000)
  await db().session.create({ data: { userId, expiresAt } })
  const link = {
    userId,
    expiresAt,
    purpose: 'reset',
    tokenHash: 'a',
    createdByLabel: actor.email,
  } as const
  await db().accountLink.create({ data: link })
}

let made = 0
const noise = () => new Uint8Array(Buffer.concat([pngHead(), randomBytes(64 * 1024)]))

/** The work of several people at once, through the doors that the console uses. */
const loads = [
  async () => {
    const { runId } = await start(site, '[[say: hello]]')
    await collect(site.admin, runId)
  },
  async () => {
    // Each person may have few files that no run uses.
    const pieces = [noise()]
    await uploadFile(await addPerson('member'), { name: 'noise', pieces, dataClass: null })
    await addAsset(site.admin, noise(), { storageId, path: `press/${made++}.png` })
  },
  async () => {
    const row = await startOne(site, append(`line ${made++}`))
    await decide(site.admin, row, { type: 'approve', message: '' })
    await collect(site.admin, row.runId)
    await hostVerbs.update(site.admin, { id: hostId, enabled: made % 2 === 0 })
  },
]

/** Enough to go on for some seconds, and few enough to leave the rest of the machine to the backup. */
const mostRounds = 30

/** Does something while people work in rounds. `nextRound` resolves when all of them did their work once more. */
async function underLoad(work: (nextRound: () => Promise<void>) => Promise<void>): Promise<void> {
  const isOver = new AbortController()
  let rounds = 0
  const repeat = async () => {
    while (rounds < mostRounds && !isOver.signal.aborted) {
      await Promise.all(loads.map((step) => step()))
      rounds += 1
    }
  }
  const working = repeat()
  const nextRound = async () => {
    // The round that goes on now began before.
    const wanted = rounds + 2
    await Promise.race([working, expect.poll(() => rounds).toBeGreaterThanOrEqual(wanted)])
    expect(rounds).toBeGreaterThanOrEqual(wanted)
  }
  try {
    await nextRound()
    await work(nextRound)
  } finally {
    isOver.abort()
    await working
  }
}

/** Differences that a restore makes on purpose, as docs/backup.md says. All else is as it was. */
const switchedOff = { columns: ['enabled', 'updatedAt'] }
const frozen: Record<string, LeftOut> = {
  channels: switchedOff,
  data_sources: switchedOff,
  hosts: switchedOff,
  schedules: switchedOff,
  search_endpoints: switchedOff,
  servers: switchedOff,
  sites: switchedOff,
  sessions: { columns: ['revokedAt'] },
  account_links: { columns: ['revokedAt'] },
  api_keys: { columns: ['pausedAt'] },
  settings: { rows: "key = 'freeze'" },
  policy_version: { columns: ['version', 'freezes', 'lastFreeze'] },
  audit_entries: { rows: "action = 'site.restore'" },
}

test('a backup of 50 MB, taken while people work, brings every row, file and asset of its moment to an empty installation', async () => {
  const { rows: sizes } = await pool().query(
    'SELECT pg_database_size(current_database())::float8 AS bytes',
  )
  expect(sizes[0].bytes).toBeGreaterThan(50 * megabyte)
  const file = path.join(String(folders[1]), 'backup')
  const snapshot = { rows: new Map<string, string>(), changing: new Map<string, string>() }
  const sealed = 'SELECT id, iv, ciphertext, tag FROM vault_secrets ORDER BY id'
  let secrets: unknown[] = []
  await underLoad(async (nextRound) => {
    // Called within the transaction whose snapshot COPY reads afterwards, so that the hashes are those of the backup's moment.
    const read = async (client: pg.Client) => {
      snapshot.rows = await hashRows(client, frozen)
      snapshot.changing = await hashRows(client, {}, Object.keys(frozen))
      secrets = (await client.query(sealed)).rows
      await nextRound()
      return keyOfDatabase(client)
    }
    const key = { passphrase: 'correct horse battery', read }
    const databaseUrl = String(process.env.DATABASE_URL)
    await backUp({ databaseUrl, file, isReplaced: false, author: operator, key })
  })
  for (const table of ['runs', 'run_events', 'file_contents', 'files', 'approvals', 'assets']) {
    const { rows } = await pool().query(`SELECT count(*)::int AS now FROM ${table}`)
    expect(rows[0].now, table).toBeGreaterThan(Number.parseInt(snapshot.rows.get(table) ?? '', 10))
  }
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(existsSync(`${file}.part`)).toBe(false)

  const into = await target()
  const env = { ...into.env, TOOLGATE_VAULT_KEY: '' }
  const input = 'correct horse battery\n'
  expect(await toolgate(['restore', file], { input, env })).toMatchObject({ code: 0, stderr: '' })
  expect(await hashRows(into.client, frozen)).toEqual(snapshot.rows)
  for (const [table, hash] of await hashRows(into.client, {}, Object.keys(frozen)))
    expect(hash, table).not.toBe(snapshot.changing.get(table))
  expect(secrets.length).toBeGreaterThan(0)
  expect((await into.client.query(sealed)).rows).toEqual(secrets)
  const { rows } = await into.client.query(`
    SELECT count(*)::int AS contents, count(*) FILTER (WHERE encode(sha256(content), 'hex') <> sha256)::int AS other FROM file_contents`)
  expect(rows).toEqual([{ contents: expect.any(Number), other: 0 }])
  expect(rows[0].contents).toBeGreaterThan(20)

  const leftOut = [
    'applied_migrations',
    'instances',
    'kept_trials',
    'passkey_challenges',
    'pending_sign_ins',
  ]
  // The restored database, so that tables which a test adds to its own are not compared.
  const { rows: tables } = await into.client.query<{ name: string }>(
    "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'",
  )
  expect([...snapshot.rows.keys(), ...leftOut].toSorted()).toEqual(
    tables.map(({ name }) => name).toSorted(),
  )
  // A backup has tables alone.
  expect((await into.client.query('SELECT FROM pg_sequences')).rowCount).toBe(0)
  const entries = await db().auditEntry.findMany({ where: { action: 'site.back-up' } })
  expect(entries).toMatchObject([{ actorLabel: operator.label, after: { file, hasKey: true } }])
})
