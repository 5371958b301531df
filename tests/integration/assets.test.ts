import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import {
  changeAsset,
  deleteAsset,
  listAssets,
  readAsset,
  restoreAsset,
} from '@/lib/domains/storages/asset-verbs'
import { pruneAssets } from '@/lib/domains/storages/prune-assets'
import { readAssetContent } from '@/lib/domains/storages/read-content'
import { uploadAsset } from '@/lib/domains/storages/upload-asset'
import { storageVerbs } from '@/lib/domains/storages/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ForbiddenError } from '@/lib/kernel/errors'
import { sweepFiles } from '@/lib/runs/files/upload-file'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { addAsset, callAs, pngHead } from '@/tests/support/assets'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

let admin: Ctx
let member: Ctx
let groupId: string
let storageId: string

beforeAll(async () => {
  admin = await addPerson('admin')
  member = await addPerson('member')
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

describe('an upload', () => {
  test('stores what the bytes are, counted by its storage and audited', async () => {
    const asset = await upload(pngHead(), { title: 'Our logo' })
    expect(asset).toMatchObject({
      storageId,
      path: 'press/logo.png',
      title: 'Our logo',
      alternativeText: '',
      mediaType: 'image/png',
      bytes: 24,
      width: 640,
      height: 480,
      shown: true,
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      createdByLabel: admin.actor.email,
    })
    expect(await storageVerbs.read(admin, { id: storageId })).toMatchObject({
      assets: 1,
      bytes: 24,
      largestFile: 20,
      wholeSize: 1_024,
    })
    expect(await entries(asset.uid)).toMatchObject([
      {
        action: 'asset.upload',
        actorLabel: admin.actor.email,
        after: { storage: 'Media', path: 'press/logo.png', checksum: asset.checksum },
      },
    ])
  })

  test('shows no HTML with the name of an image, no SVG and no bomb', async () => {
    const html = text('<!doctype html><script>alert(1)</script>')
    expect(await upload(html, { path: 'a.png' })).toMatchObject({
      mediaType: 'text/html',
      width: null,
      shown: false,
    })
    expect(await upload(text('<svg onload="alert(1)"/>'), { path: 'b.svg' })).toMatchObject({
      mediaType: 'image/svg+xml',
      shown: false,
    })
    expect(await upload(pngHead(60_000, 60_000), { path: 'c.png' })).toMatchObject({
      width: 60_000,
      height: 60_000,
      shown: false,
    })
  })

  test('is refused at a path that is taken, and replaces the file when that is asked for', async () => {
    const first = await upload(pngHead(), { title: 'Our logo' })
    await changeAsset(admin, { storageId, uid: first.uid, alternativeText: 'A logo' })
    await expect(upload(text('other'))).rejects.toMatchObject({
      fields: { path: 'There is an asset at this path already.' },
    })
    const second = await upload(text('other'), { replace: true })
    expect(second).toMatchObject({
      uid: first.uid,
      title: 'Our logo',
      alternativeText: 'A logo',
      mediaType: 'text/plain',
      bytes: 5,
      width: null,
      shown: false,
    })
    expect(second.checksum).not.toBe(first.checksum)
    expect((await entries(first.uid)).at(-1)).toMatchObject({
      action: 'asset.replace',
      before: { checksum: first.checksum },
      after: { checksum: second.checksum },
    })
    await sweepFiles(db())
    expect(await db().fileContent.count({ where: { sha256: first.checksum } })).toBe(0)
    expect(await db().fileContent.count({ where: { sha256: second.checksum } })).toBe(1)
  })

  test('is refused when the file or the storage would be too large, also for two at once', async () => {
    await expect(upload(new Uint8Array())).rejects.toMatchObject({
      fields: { file: 'The file is empty.' },
    })
    await storageVerbs.update(admin, { id: storageId, largestFile: 1, wholeSize: 1 })
    await expect(upload(new Uint8Array(1024 * 1024 + 1))).rejects.toMatchObject({
      fields: { file: 'A file of this storage may have up to 1 MB.' },
    })
    const half = (fill: number) => new Uint8Array(600 * 1024).fill(fill)
    const both = await Promise.allSettled([
      upload(half(1), { path: 'one' }),
      upload(half(2), { path: 'two' }),
    ])
    const refused = both.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: { fields: { file: /^The storage is full/ } } }])
    expect(await db().asset.count({ where: { storageId } })).toBe(1)
    const [stored] = await db().asset.findMany({ where: { storageId } })
    expect(await upload(half(3), { path: stored?.path ?? '', replace: true })).toMatchObject({
      bytes: 600 * 1024,
    })
    await deleteAsset(admin, { storageId, uid: stored?.uid ?? '' })
    await expect(upload(half(4), { path: 'three' })).rejects.toThrow('The storage is full')
  })

  test('is for admins alone', async () => {
    const input = { storageId, path: 'x', replace: false, pieces: [pngHead()] }
    await expect(uploadAsset(member, input)).rejects.toThrow(ForbiddenError)
    const { uid } = await upload()
    for (const verb of [readAsset, deleteAsset, restoreAsset, changeAsset])
      await expect(verb(member, { storageId, uid })).rejects.toThrow(ForbiddenError)
    await expect(listAssets(member, { storageId, sort: 'path' })).rejects.toThrow(ForbiddenError)
    await expect(storageVerbs.read(member, { id: storageId })).rejects.toThrow(ForbiddenError)
  })
})

describe('an asset', () => {
  test('is found by its texts, its type and what it lacks', async () => {
    const logo = await upload()
    await upload(text('Notes.'), { path: 'notes/100%.txt', title: 'Plan' })
    await changeAsset(admin, { storageId, uid: logo.uid, alternativeText: 'A red circle' })
    const found = async (filter: object) =>
      (await listAssets(admin, { storageId, sort: 'path', ...filter })).assets.map(
        ({ path }) => path,
      )
    expect(await found({})).toEqual(['notes/100%.txt', 'press/logo.png'])
    expect(await found({ sort: '-bytes' })).toEqual(['press/logo.png', 'notes/100%.txt'])
    expect(await found({ search: 'circle PRESS' })).toEqual(['press/logo.png'])
    expect(await found({ search: '100%' })).toEqual(['notes/100%.txt'])
    expect(await found({ search: '_o_' })).toEqual([])
    expect(await found({ kind: 'image' })).toEqual(['press/logo.png'])
    expect(await found({ kind: 'other' })).toEqual([])
    expect(await found({ described: 'no' })).toEqual(['notes/100%.txt'])
    expect(await listAssets(admin, { storageId, kind: 'text', sort: 'path' })).toMatchObject({
      total: 1,
      whole: 2,
    })
  })

  test('changes with its audit, and not when somebody else changed it', async () => {
    const { uid, updatedAt } = await upload()
    const change = { storageId, uid, updatedAt, title: 'Logo', path: '/press//mark.png' }
    await changeAsset(admin, { ...change, reason: 'Clearer' })
    expect(await readAsset(admin, { storageId, uid })).toMatchObject({ path: 'press/mark.png' })
    expect((await entries(uid)).at(-1)).toMatchObject({
      action: 'asset.update',
      reason: 'Clearer',
      before: { path: 'press/logo.png', title: 'logo.png' },
      after: { path: 'press/mark.png', title: 'Logo' },
    })
    await expect(changeAsset(admin, change)).rejects.toThrow('Somebody changed this asset')
    await upload(text('x'), { path: 'taken' })
    await expect(changeAsset(admin, { storageId, uid, path: 'taken' })).rejects.toMatchObject({
      fields: { path: 'Another asset of this storage has this path.' },
    })
    for (const path of ['../x', 'a\u202eb', '', 'x'.repeat(4_096)])
      await expect(changeAsset(admin, { storageId, uid, path })).rejects.toThrow(/path|Enter/)
    await expect(changeAsset(admin, { storageId, uid, path: 'a\0b' })).rejects.toThrow()
    const long = { storageId, uid, alternativeText: 'x'.repeat(1_001) }
    await expect(changeAsset(admin, long)).rejects.toThrow('at most 1000 characters')
  })

  test('that is deleted is nowhere, can be restored, and loses its bytes after 30 days', async () => {
    const { uid, checksum } = await upload()
    await deleteAsset(admin, { storageId, uid, reason: 'old' })
    await expect(readAsset(admin, { storageId, uid })).rejects.toThrow('does not exist')
    await expect(deleteAsset(admin, { storageId, uid })).rejects.toThrow('does not exist')
    expect((await listAssets(admin, { storageId, sort: 'path' })).assets).toEqual([])
    expect(await listAssets(admin, { storageId, sort: 'path', deleted: 'yes' })).toMatchObject({
      total: 1,
      whole: 1,
      assets: [{ uid, shown: false, deletedAt: expect.any(String) }],
    })
    for (const person of [admin, member]) {
      await expect(callAs(person, 'read_asset_meta', { uid })).rejects.toThrow('not permitted')
      const write = { uid, text: 'A logo' }
      await expect(callAs(person, 'set_alternative_text', write)).rejects.toThrow('not permitted')
      expect(await callAs(person, 'search_files', { text: 'logo' })).toMatchObject({ assets: [] })
      const storage = { storage: 'Media' }
      expect(await callAs(person, 'browse_folder', storage)).toMatchObject({ total: 0 })
    }
    const other = await upload(text('new'))
    await expect(restoreAsset(admin, { storageId, uid })).rejects.toThrow('has this path')
    await changeAsset(admin, { storageId, uid: other.uid, path: 'elsewhere' })
    await restoreAsset(admin, { storageId, uid })
    expect(await readAsset(admin, { storageId, uid })).toMatchObject({ checksum })
    await deleteAsset(admin, { storageId, uid })
    const sweep = async () => {
      await pruneAssets(db())
      await sweepFiles(db())
      return db().fileContent.count({ where: { sha256: checksum } })
    }
    expect(await sweep()).toBe(1)
    const deletedAt = new Date(Date.now() - 31 * 24 * 3_600_000)
    await db().asset.update({ where: { uid }, data: { deletedAt } })
    expect(await sweep()).toBe(0)
    expect((await entries(uid)).map(({ action }) => action)).toEqual([
      'asset.upload',
      'asset.delete',
      'asset.restore',
      'asset.delete',
    ])
  })
})

describe('over HTTP', () => {
  const contentRoute = apiRoute('/storages/{storageId}/assets/{uid}/content')
  const filesRoute = apiRoute('/asset-files')

  test('bytes come back in a sandbox: images of pixels are shown, anything else is saved', async () => {
    const key = await apiKeyOf(admin, 'storages:read', 'storages:write')
    const send = async (name: string, body: Uint8Array<ArrayBuffer>) => {
      const query = new URLSearchParams({ storage: 'Media', path: `up/${name}` })
      const address = `/api/v1/asset-files?${query}`
      return ask(filesRoute.POST, 'POST', address, { key, body, headers: {} })
    }
    const read = async (response: Response) => {
      const { asset } = await response.json()
      const params = { storageId, uid: asset.uid }
      const address = `/api/v1/storages/${storageId}/assets/${asset.uid}/content`
      return ask(contentRoute.GET, 'GET', address, { key, params })
    }
    const shown = await read(await send('it’s.png', pngHead()))
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': "inline; filename*=UTF-8''it%E2%80%99s.png",
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(pngHead())
    const files = { 'a.png': '<html><script>1</script>', 'b.svg': '<svg/>', 'c.txt': 'words' }
    for (const [name, words] of Object.entries(files)) {
      const saved = await read(await send(name, text(words)))
      expect(saved.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${name}`)
      expect(saved.headers.get('content-security-policy')).toMatch(/^sandbox/)
    }
    expect((await send('a.png', text('again'))).status).toBe(409)
    const without = await apiKeyOf(admin, 'storages:read')
    const refused = { key: without, body: pngHead(), headers: {} }
    const address = '/api/v1/asset-files?storage=Media&path=x'
    expect((await ask(filesRoute.POST, 'POST', address, refused)).status).toBe(403)
  })

  test('a large file comes back whole, also when its last piece is full', async () => {
    for (const bytes of [4 * 1024 * 1024, 2 * 1024 * 1024 + 1]) {
      const { uid } = await upload(new Uint8Array(randomBytes(bytes)), { path: `large/${bytes}` })
      const { content } = await readAssetContent(admin, { storageId, uid })
      const { checksum } = await readAsset(admin, { storageId, uid })
      expect(createHash('sha256').update(content).digest('hex')).toBe(checksum)
      expect(content.length).toBe(bytes)
    }
  })

  test('an asset without bytes here, as older versions had, says so', async () => {
    const key = await apiKeyOf(admin, 'storages:read')
    const facts = { storageId, mediaType: 'image/png', bytes: 1, checksum: 'ab', path: 'old.png' }
    const { uid } = await db().asset.create({ data: { ...facts, width: 1, height: 1 } })
    expect(await readAsset(admin, { storageId, uid })).toMatchObject({ shown: false })
    const address = `/api/v1/storages/${storageId}/assets/${uid}/content`
    const response = await ask(contentRoute.GET, 'GET', address, {
      key,
      params: { storageId, uid },
    })
    expect(response.status).toBe(404)
  })
})
