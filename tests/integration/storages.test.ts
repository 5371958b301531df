import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import { changeAsset } from '@/lib/domains/storages/asset-verbs'
import { storageVerbs } from '@/lib/domains/storages/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/new-id'
import { sweepFiles } from '@/lib/runs/files/upload-file'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { readPresentNeeds } from '@/lib/toolset/policy/tool-needs'
import { addAsset, callAs, pngHead } from '@/tests/support/assets'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

let admin: Ctx
let member: Ctx
let stranger: Ctx
let groupId: string
let storageId: string

beforeAll(async () => {
  admin = await addPerson('admin')
  member = await addPerson('member')
  stranger = await addPerson('member')
  groupId = (await groupVerbs.create(admin, { name: 'Editors' })).id
  await addGroupMember(admin, { groupId, userId: member.actor.userId })
})
beforeEach(async () => {
  await db().storage.deleteMany()
  storageId = (await storageVerbs.create(admin, { name: 'Media', groupIds: [groupId] })).id
})

type Place = Omit<Parameters<typeof addAsset>[2], 'storageId'> & { storageId?: string }
const upload = (content: Uint8Array<ArrayBuffer> = pngHead(), place: Place = {}) =>
  addAsset(admin, content, { storageId, ...place })
const text = (words: string) => new Uint8Array(Buffer.from(words))

const entries = (objectId: string) =>
  db().auditEntry.findMany({ where: { objectId }, orderBy: [{ at: 'asc' }, { id: 'asc' }] })

describe('tools', () => {
  test('give members what lies in storages of their groups, admins all, and say the same of the rest', async () => {
    const open = await upload()
    const closed = (await storageVerbs.create(admin, { name: 'Contracts' })).id
    const locked = await upload(text('Deal.'), { storageId: closed, path: 'deal.txt' })
    const meta = {
      uid: open.uid,
      storage: 'Media',
      path: 'press/logo.png',
      title: 'logo.png',
      alternativeText: '',
      mediaType: 'image/png',
      bytes: 24,
      checksum: open.checksum,
      pixels: { width: 640, height: 480 },
      createdAt: open.createdAt,
      modifiedAt: open.updatedAt,
    }
    expect(await callAs(member, 'read_asset_meta', { uid: open.uid })).toEqual(meta)
    expect(await callAs(admin, 'read_asset_meta', { uid: locked.uid })).toMatchObject({
      storage: 'Contracts',
    })
    const answer = async (name: string, args: object, who = member) =>
      callAs(who, name, args).catch(String)
    const missing = newId()
    for (const [name, args] of [
      ['read_asset_meta', {}],
      ['set_alternative_text', { text: 'x' }],
    ] as const) {
      const neutral = 'ToolError: Asset not found or not permitted.'
      for (const uid of [locked.uid, missing])
        expect(await answer(name, { uid, ...args })).toBe(neutral)
      expect(await answer(name, { uid: open.uid, ...args }, stranger)).toBe(neutral)
    }
    const words = 'ToolError: Storage not found or not permitted. You may use: Media.'
    for (const storage of ['Contracts', 'Nowhere']) {
      expect(await answer('browse_folder', { storage })).toBe(words)
      expect(await answer('search_files', { storage, text: 'deal' })).toBe(words)
    }
    const storages = [{ name: 'Media', assets: 1, bytes: 24 }]
    expect(await answer('list_storages', {})).toEqual({ total: 1, shown: 1, storages })
    expect(await answer('list_storages', {}, stranger)).toEqual({
      total: 0,
      shown: 0,
      storages: [],
    })
    expect(await answer('list_storages', {}, admin)).toMatchObject({ total: 2 })
    expect(await answer('search_files', { text: 'deal' })).toMatchObject({ assets: [] })
    expect(await answer('search_files', { text: 'deal' }, admin)).toMatchObject({ shown: 1 })

    await storageVerbs.update(admin, { id: storageId, enabled: false })
    await storageVerbs.update(admin, { id: closed, enabled: false })
    for (const who of [member, admin]) {
      expect(await answer('read_asset_meta', { uid: open.uid }, who)).toMatch('not permitted')
      expect(await answer('list_storages', {}, who)).toMatchObject({ total: 0 })
    }
    expect((await readPresentNeeds(db())).has('storage')).toBe(false)
  })

  test('show folders with what is below them, and cut a full one', async () => {
    for (const path of ['a/b/one', 'a/b/two', 'a/three', 'four', 'a b/five'])
      await upload(text(path), { path })
    expect(await callAs(member, 'browse_folder', { storage: 'Media' })).toMatchObject({
      total: 3,
      shown: 3,
      assets: [{ path: 'four' }],
      folders: [
        { name: 'a', assets: 3 },
        { name: 'a b', assets: 1 },
      ],
    })
    const below = { storage: 'Media', path: '/a/' }
    expect(await callAs(member, 'browse_folder', below)).toMatchObject({
      folders: [{ name: 'b', assets: 2 }],
      assets: [{ path: 'a/three' }],
    })
    const facts = { storageId, mediaType: 'text/plain', bytes: 1, checksum: 'ab' }
    await db().asset.createMany({
      data: Array.from({ length: 110 }, (_, n) => ({ ...facts, path: `full/${n}` })),
    })
    const full = { storage: 'Media', path: 'full' }
    expect(await callAs(member, 'browse_folder', full)).toMatchObject({ total: 110, shown: 100 })
    expect(await callAs(member, 'search_files', { text: 'full', limit: 50 })).toMatchObject({
      shown: 50,
    })
  })

  test('write an alternative text for the person of the run, and audit it', async () => {
    const { uid } = await upload()
    const input = { uid: uid.toUpperCase(), text: ' A red\ncircle. ' }
    expect(await callAs(member, 'set_alternative_text', input)).toEqual({
      described: uid,
      text: 'A red circle.',
    })
    await callAs(member, 'set_alternative_text', input)
    const audited = (await entries(uid)).filter(({ action }) => action === 'asset.describe')
    expect(audited).toMatchObject([
      {
        actorLabel: member.actor.email,
        before: { alternativeText: '' },
        after: { alternativeText: 'A red circle.', callId: 'call-1' },
      },
    ])
  })

  test('never find what is hidden in a text, so that nobody can guess it letter by letter', async () => {
    const { uid } = await upload()
    await changeAsset(admin, { storageId, uid, alternativeText: 'password=hunter2hunter2' })
    expect(await callAs(member, 'search_files', { text: 'hunter2' })).toMatchObject({ shown: 0 })
    expect(await callAs(member, 'search_files', { text: 'password=' })).toMatchObject({
      assets: [{ alternativeText: 'password=[redacted]' }],
    })
  })
})

test('deleting a storage deletes its assets, and the audit says how many', async () => {
  const { checksum } = await upload()
  await storageVerbs.remove(admin, { id: storageId, reason: 'unused' })
  expect(await db().asset.count({ where: { storageId } })).toBe(0)
  expect((await entries(storageId)).at(-1)).toMatchObject({
    action: 'storage.delete',
    before: { name: 'Media', assets: 1, bytes: 24 },
  })
  await sweepFiles(db())
  expect(await db().fileContent.count({ where: { sha256: checksum } })).toBe(0)
})

test('the site file has storages, without their assets', async () => {
  await upload()
  await storageVerbs.update(admin, { id: storageId, note: 'For press', largestFile: 5 })
  const file = parseSiteFile(await exportSite(admin))
  expect(file.storages).toEqual([
    {
      name: 'Media',
      largestFile: 5,
      wholeSize: 1_024,
      groups: ['Editors'],
      note: 'For press',
      enabled: true,
    },
  ])
  expect(await planSite(admin, file)).toMatchObject({ steps: [], problems: [] })
  const storages = [{ name: 'Media', note: null }, { name: 'Second' }]
  const wanted = parseSiteFile(stringify({ toolgate: 2, storages }))
  await applySite(admin, wanted, { reason: 'release' })
  expect((await storageVerbs.list(admin, { sort: 'name' })).rows).toMatchObject([
    { name: 'Media', note: null, largestFile: 5, assets: 1 },
    { name: 'Second', groups: [], assets: 0 },
  ])
})

test('commands upload, describe, find, remove and restore an asset', async () => {
  const asset = async (...args: string[]) => {
    const { code, stdout, stderr } = await toolgate(['asset', ...args, '--json'])
    return code === 0 ? JSON.parse(stdout) : stderr
  }
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'assets-')), 'logo.png')
  writeFileSync(file, pngHead())
  const { uid } = await asset('upload', 'Media', file, '--title', 'Logo')
  expect(await asset('upload', 'Media', file)).toContain('There is an asset at this path already.')
  expect(await asset('upload', 'Media', file, '--replace')).toMatchObject({ uid, title: 'Logo' })
  const change = ['--text', 'A circle', '--path', 'press/logo.png', '--reason', 'clearer']
  expect(await asset('describe', 'Media', uid, ...change)).toMatchObject({
    alternativeText: 'A circle',
    path: 'press/logo.png',
  })
  const found = async (...options: string[]) => (await asset('list', 'Media', ...options)).total
  expect([await found('--search', 'circle'), await found('--undescribed')]).toEqual([1, 0])
  await asset('remove', 'Media', uid)
  expect([await found(), await found('--deleted')]).toEqual([0, 1])
  await asset('restore', 'Media', uid)
  expect(await found()).toBe(1)
  expect(await asset('remove', 'Media', 'nothing')).toContain('This asset does not exist')
})
