import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import { programVerbs } from '@/lib/domains/programs/verbs'
import { keepFileVersion, pruneFileVersions } from '@/lib/domains/workspaces/file-versions'
import { suggestFolder } from '@/lib/domains/workspaces/folder'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { sandboxProblem } from '@/lib/engines/programs/command-sandbox'
import { findFileWrite, readFileWrite, undoFileWrite } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { env } from '@/lib/kernel/env'
import { programFolder } from '@/lib/kernel/own-program'
import { clearLeftSetId } from '@/lib/runs/engine/clear-left-set-id'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { readPresentNeeds } from '@/lib/toolset/policy/tool-needs'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

let admin: Ctx
let member: Ctx
let stranger: Ctx
let groupId: string
let base: string
let folder: string

beforeAll(async () => {
  admin = await addPerson('admin')
  member = await addPerson('member')
  stranger = await addPerson('member')
  groupId = (await groupVerbs.create(admin, { name: 'Readers' })).id
  await addGroupMember(admin, { groupId, userId: member.actor.userId })
})
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'workspaces-')))
  folder = path.join(base, 'handbook')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'a.md'), 'one\n')
})
afterEach(async () => {
  await db().workspace.deleteMany()
  rmSync(base, { recursive: true, force: true })
})

type Values = Partial<Parameters<typeof workspaceVerbs.create>[1]>
const add = async (values: Values = {}) =>
  (
    await workspaceVerbs.create(admin, {
      name: 'handbook',
      folder,
      writable: true,
      groupIds: [groupId],
      ...values,
    })
  ).id

const runId = '0198a000-0000-7000-8000-00000000a001'

async function call({ actor }: Ctx, name: string, args: object, callId = 'call') {
  const tool = (await loadToolset(db())).get(name)
  const parsed = tool?.parse({ workspace: 'handbook', ...args })
  if (!tool || !parsed?.ok) throw new Error('The call is not valid.')
  const signal = new AbortController().signal
  const context = { signal, actor, runId, configurationId: null, callId }
  return (await tool.execute(parsed.args, context)).content
}

test('keeps where its folder leads, and says when that changed', async () => {
  symlinkSync(folder, path.join(base, 'link'))
  const id = await add({ folder: path.join(base, 'link') })
  const read = () => workspaceVerbs.read(admin, { id })
  expect(await read()).toMatchObject({ realFolder: folder, trouble: null, writes: [] })
  rmSync(folder, { recursive: true })
  expect((await read()).trouble).toContain('no such folder')
  mkdirSync(path.join(base, 'other'))
  symlinkSync(path.join(base, 'other'), folder)
  expect((await read()).trouble).toContain('leads elsewhere')
  await expect(call(admin, 'list_directory', {})).rejects.toThrow('not permitted')
})

test('makes its folder when that is wanted, in a folder that exists and that tools may see', async () => {
  const made = path.join(base, 'new', '..', 'made')
  await expect(add({ folder: made })).rejects.toMatchObject({
    fields: { folder: expect.stringContaining('no such folder') },
  })
  const id = await add({ folder: made, createFolder: true })
  expect(await workspaceVerbs.read(admin, { id })).toMatchObject({
    realFolder: path.join(base, 'made'),
    trouble: null,
  })
  expect(await call(admin, 'write_file', { path: 'b.md', content: 'new' })).toMatchObject({
    written: 'new file',
  })
  if (process.getuid?.() === 0) {
    // It belongs to a user of its own, not to root, and to none that has other files.
    const [folderStats, fileStats] = [
      statSync(path.join(base, 'made')),
      statSync(path.join(base, 'made/b.md')),
    ]
    const [uid, postgres] = ['toolgate-tools', 'postgres'].map(userNumber)
    expect(folderStats.uid).toBe(uid)
    expect(uid).toBeGreaterThan(0)
    expect(uid).not.toBe(postgres)
    expect(fileStats).toMatchObject({ uid, gid: folderStats.gid })
  }
  expect((await workspaceVerbs.read(admin, { id })).noPrograms).toBeNull()
  // A folder that is there stays as it is.
  await workspaceVerbs.update(admin, { id, folder, createFolder: true })
  expect(await call(admin, 'read_file', { path: 'a.md' })).toContain('one')
})

function userNumber(name: string): number {
  const found = new RegExp(`^${name}:[^:]*:(\\d+):`, 'm').exec(readFileSync('/etc/passwd', 'utf8'))
  return Number(found?.[1])
}

test.skipIf(process.getuid?.() !== 0 || (await sandboxProblem()) !== null)(
  'a workspace of root says that no program runs in it, and which command mends that',
  async () => {
    const id = await add()
    const { noPrograms } = await workspaceVerbs.read(admin, { id })
    expect(noPrograms).toMatch(/this server runs as root, .* chown -R USER: \//)
    expect(noPrograms).toContain(folder)
    await programVerbs.create(admin, { name: 'list', path: '/bin/ls' })
    const doctor = async () => (await toolgate(['doctor'])).stdout.replace(/\s+/g, ' ')
    const words = await doctor()
    expect(words).toContain(`chown -R USER: ${folder}`)
    const options = execFileSync('findmnt', ['-no', 'OPTIONS', '-T', folder]).toString()
    expect(words.includes('not mounted with nosuid')).toBe(!options.includes('nosuid'))
    chownSync(folder, 4242, 4242)
    expect((await workspaceVerbs.read(admin, { id })).noPrograms).toBeNull()
    expect(await doctor()).not.toContain('chown')
    await db().program.deleteMany()
  },
)

test('set-id bits that a killed server left are removed at the next start', async () => {
  await add({ writable: true })
  const file = path.join(folder, 'left')
  writeFileSync(file, 'x')
  chmodSync(file, 0o4755)
  await clearLeftSetId()
  expect(statSync(file).mode & 0o7777).toBe(0o755)
})

test('makes no folder of the system or of Toolgate, and none without the one above it', async () => {
  symlinkSync('/etc', path.join(base, 'link'))
  symlinkSync(path.join(base, 'nowhere'), path.join(base, 'gone'))
  const data = realpathSync(env().TOOLGATE_DATA_DIR)
  const refused = [
    '/etc/made',
    '/usr/share/made',
    '/proc/made',
    '/var/lib/made',
    path.join(data, 'made'),
    path.join(process.cwd(), 'made'),
    path.join(base, 'link/made'),
    path.join(base, 'a/b'),
    path.join(folder, 'a.md/b'),
    path.join(base, 'gone'),
  ]
  for (const each of refused) {
    await expect(add({ folder: each, createFolder: true }), each).rejects.toMatchObject({
      fields: { folder: expect.stringMatching(/folder|data|program/) },
    })
    expect(existsSync(each), each).toBe(false)
  }
  await expect(
    workspaceVerbs.create(member, {
      name: 'mine',
      folder: path.join(base, 'mine'),
      createFolder: true,
    }),
  ).rejects.toMatchObject({ status: 403 })
  expect(existsSync(path.join(base, 'mine'))).toBe(false)
})

test('a folder is suggested that can be used, and a built server counts as part of the program', async () => {
  const suggested = await suggestFolder(path.basename(base))
  expect(suggested?.isMissing).toBe(true)
  expect(suggested?.folder).toMatch(new RegExp(`/toolgate-${path.basename(base)}$`))
  expect(suggested?.folder.startsWith(process.cwd() + path.sep)).toBe(false)
  expect(programFolder('/srv/toolgate/.next/standalone')).toBe('/srv/toolgate')
  expect(programFolder('/srv/toolgate')).toBe('/srv/toolgate')
})

test('is for admins to change; others use it where one of their groups may', async () => {
  const id = await add()
  for (const refused of [
    workspaceVerbs.create(member, { name: 'mine', folder }),
    workspaceVerbs.update(member, { id, writable: true }),
    workspaceVerbs.list(member, { sort: 'name' }),
    workspaceVerbs.read(member, { id }),
    workspaceVerbs.remove(member, { id }),
  ]) {
    await expect(refused).rejects.toMatchObject({ status: 403 })
  }
  const read = { path: 'a.md' }
  const lines = 'Lines 1 to 1 of 1.\n\none'
  expect(await call(member, 'read_file', read)).toBe(lines)
  expect(await call(admin, 'read_file', read)).toBe(lines)
  await expect(call(stranger, 'read_file', read)).rejects.toThrow('There is none')
  await workspaceVerbs.update(admin, { id, groupIds: [] })
  await expect(call(member, 'read_file', read)).rejects.toThrow('There is none')
  expect(await readPresentNeeds(db())).toContain('workspace')
  await workspaceVerbs.update(admin, { id, enabled: false })
  await expect(call(admin, 'read_file', read)).rejects.toThrow('There is none')
  expect(await readPresentNeeds(db())).not.toContain('workspace')
})

test('a write is undone by whom it was for or by an admin, once, and while nobody changed the file', async () => {
  const id = await add()
  await call(member, 'edit_file', { path: 'a.md', find: 'one', replace: 'two' })
  await call(member, 'write_file', { path: 'b.md', content: 'new' }, 'second')
  const [second, first] = (await workspaceVerbs.read(admin, { id })).writes
  expect(first).toMatchObject({ path: 'a.md', by: member.actor.email, runId, isNew: false })
  expect(second).toMatchObject({ path: 'b.md', callId: 'second', isNew: true, undoneAt: null })
  const writeId = first?.id ?? ''
  for (const [who, status] of [
    [stranger, 404],
    [await addPerson('member'), 404],
  ] as const) {
    await expect(readFileWrite(who, { writeId })).rejects.toMatchObject({ status })
    await expect(undoFileWrite(who, { writeId })).rejects.toMatchObject({ status })
  }
  expect(await findFileWrite(member, { runId, callId: 'call' })).toMatchObject({
    id: writeId,
    before: 'one\n',
    now: 'two\n',
    refusal: null,
    workspace: { id, name: 'handbook' },
  })
  writeFileSync(path.join(folder, 'a.md'), 'three\n')
  expect((await readFileWrite(member, { writeId })).refusal).toContain('changed after')
  await expect(undoFileWrite(member, { writeId })).rejects.toMatchObject({ status: 409 })
  writeFileSync(path.join(folder, 'a.md'), 'two\n')
  await undoFileWrite(member, { writeId, reason: 'wrong file' })
  expect(readFileSync(path.join(folder, 'a.md'), 'utf8')).toBe('one\n')
  await expect(undoFileWrite(admin, { writeId })).rejects.toMatchObject({ status: 409 })
  await undoFileWrite(admin, { writeId: second?.id ?? '' })
  expect(() => readFileSync(path.join(folder, 'b.md'))).toThrow('ENOENT')
  const entries = await db().auditEntry.findMany({
    where: { action: 'workspace.undo-write' },
    orderBy: { at: 'asc' },
  })
  expect(entries).toMatchObject([
    { objectId: id, reason: 'wrong file', actorLabel: member.actor.email },
    { objectId: id, actorLabel: admin.actor.email },
  ])
  expect(JSON.stringify(entries)).not.toContain('one\\\\n')
})

test('a write is not undone where files can only be read, or where the person may not write any more', async () => {
  const id = await add()
  await call(member, 'write_file', { path: 'a.md', content: 'two' })
  const { id: writeId } = await findFileWrite(member, { runId, callId: 'call' })
  await workspaceVerbs.update(admin, { id, writable: false })
  await expect(undoFileWrite(admin, { writeId })).rejects.toThrow('can only be read now')
  await expect(call(member, 'write_file', { path: 'a.md', content: '3' })).rejects.toThrow(
    'can only be read',
  )
  await workspaceVerbs.update(admin, { id, writable: true, groupIds: [] })
  await expect(undoFileWrite(member, { writeId })).rejects.toMatchObject({ status: 404 })
  expect(readFileSync(path.join(folder, 'a.md'), 'utf8')).toBe('two')
  const { undoneAt } = await db().fileVersion.findUniqueOrThrow({ where: { id: writeId } })
  expect(undoneAt).toBeNull()
})

test('earlier contents of files are kept for 90 days, at most 1,000 of a workspace', async () => {
  const workspaceId = await add()
  const other = await add({ name: 'other' })
  const { userId, email: userLabel } = member.actor
  const write = {
    workspaceId,
    path: 'a.md',
    before: 'x',
    beforeHash: 'x',
    afterHash: 'y',
    encoding: 'utf-8',
    runId,
    callId: 'call',
    userId,
    userLabel,
  }
  await db().fileVersion.createMany({
    data: Array.from({ length: 1_001 }, (_, n) => ({
      ...write,
      beforeBytes: 1,
      createdAt: new Date(Date.now() - n * 1_000),
    })),
  })
  const [old, young] = [91, 89].map((days) => new Date(Date.now() - days * 86_400_000))
  for (const createdAt of [old, young]) {
    const kept = await keepFileVersion(db(), { ...write, workspaceId: other })
    await db().fileVersion.update({ where: { id: kept }, data: { createdAt } })
  }
  const newest = await keepFileVersion(db(), write)
  const left = await db().fileVersion.findMany({ where: { workspaceId }, select: { id: true } })
  expect(left).toHaveLength(1_000)
  expect(left).toContainEqual({ id: newest })
  await pruneFileVersions(db())
  expect(await db().fileVersion.findMany({ where: { workspaceId: other } })).toMatchObject([
    { createdAt: young },
  ])
  // Each is small enough, and together they are too much.
  const large = { ...write, workspaceId: other, before: 'x'.repeat(1024 * 1024) }
  await db().fileVersion.updateMany({
    where: { workspaceId: other },
    data: { beforeBytes: 100 * 1024 * 1024 },
  })
  const kept = await keepFileVersion(db(), large)
  expect(await db().fileVersion.findMany({ where: { workspaceId: other } })).toMatchObject([
    { id: kept },
  ])
})

test('the site file has workspaces, and refuses a folder that this server does not have', async () => {
  await add({ note: 'For support' })
  const text = await exportSite(admin)
  const file = parseSiteFile(text)
  expect(file.workspaces).toEqual([
    {
      name: 'handbook',
      folder,
      writable: true,
      groups: ['Readers'],
      note: 'For support',
      enabled: true,
    },
  ])
  expect(await planSite(admin, file)).toMatchObject({ steps: [], problems: [] })
  const apply = (...workspaces: object[]) =>
    applySite(admin, parseSiteFile(stringify({ toolgate: 2, workspaces })), { reason: 'release' })
  await apply({ name: 'handbook', writable: false }, { name: 'second', folder })
  expect((await workspaceVerbs.list(admin, { sort: 'name' })).rows).toMatchObject([
    { name: 'handbook', writable: false },
    { name: 'second', writable: false, groups: [], realFolder: folder },
  ])
  const gone = { name: 'third', folder: path.join(base, 'gone') }
  expect(await apply(gone).catch((error) => String(error))).toMatch(/no such folder|not applied/i)
  expect(await db().workspace.count()).toBe(2)
})
