import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { checkWorkspaces } from '@/lib/doors/cli/doctor/check-tools'
import type { Ctx } from '@/lib/kernel/context'
import { env } from '@/lib/kernel/env'
import { ValidationError } from '@/lib/kernel/errors'
import { protectionOf } from '@/lib/kernel/protected-folders'
import { closeProtectedFolders } from '@/lib/runs/engine/close-protected-folders'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { setEnv } from '@/tests/support/test-process'

const extraTools = realpathSync(mkdtempSync(path.join(tmpdir(), 'extra-tools-')))
const skills = realpathSync(mkdtempSync(path.join(tmpdir(), 'skills-')))
setEnv({ TOOLGATE_EXTRA_TOOLS_DIR: extraTools, TOOLGATE_SKILLS_DIR: skills })

let admin: Ctx
let base: string
let folder: string

beforeAll(async () => {
  admin = await addPerson('admin')
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
  (await workspaceVerbs.create(admin, { name: 'handbook', folder, ...values })).id

test('a workspace is never a folder of the system, of people, or of Toolgate, or in one of these', async () => {
  symlinkSync('/etc', path.join(base, 'link'))
  const data = realpathSync(env().TOOLGATE_DATA_DIR)
  for (const refused of [
    '/',
    '/etc',
    '/etc/..',
    '/etc/ssl',
    '/usr/share',
    '/proc/self/cwd',
    '/var',
    '/home',
    '/root',
    '/dev/shm',
    '/nowhere',
    path.join(base, 'link'),
    path.join(folder, 'a.md'),
    data,
    path.dirname(data),
    process.cwd(),
    path.join(process.cwd(), 'docs'),
    '/opt',
    '/srv',
    '/tmp',
    '/media',
    homedir(),
    extraTools,
    path.dirname(extraTools),
    path.join(base, '.ssh'),
    path.join(base, '.config', 'app'),
    skills,
  ]) {
    mkdirSync(path.join(base, '.ssh'), { recursive: true })
    mkdirSync(path.join(base, '.config', 'app'), { recursive: true })
    await expect(add({ folder: refused }), refused).rejects.toMatchObject({
      fields: { folder: expect.stringMatching(/folder|data|program/) },
    })
  }
  await expect(add({ folder: 'handbook' })).rejects.toMatchObject({
    fields: { folder: expect.stringContaining('absolute') },
  })
  expect(await db().workspace.count()).toBe(0)
})

test('tools write nothing that an MCP server is started with, whichever of the two came first', async () => {
  const program = path.join(folder, 'a.md')
  symlinkSync(program, path.join(base, 'link'))
  const commands = [
    `node ${program}`,
    `${base}/link --x`,
    `node --import=${folder}/../handbook/a.md`,
  ]
  const addServer = (command: string) =>
    serverVerbs.create(admin, { name: 'notes', kind: 'stdio', command, enabled: false })
  const refusal = { fields: { command: expect.stringContaining('is in a workspace') } }
  const id = await add({ writable: true })
  for (const command of commands) {
    await expect(addServer(command), command).rejects.toMatchObject(refusal)
  }
  await workspaceVerbs.update(admin, { id, writable: false })
  for (const command of commands) {
    const { id: serverId } = await addServer(command)
    for (const change of [{ writable: true }, { folder, writable: true }]) {
      await expect(workspaceVerbs.update(admin, { id, ...change }), command).rejects.toMatchObject({
        fields: { folder: expect.stringContaining('The server notes is started with') },
      })
    }
    await serverVerbs.remove(admin, { id: serverId })
  }
  await workspaceVerbs.update(admin, { id, writable: true })
})

test('a workspace that opens a folder which is protected now is switched off when a server starts, and stays off', async () => {
  const good = await add()
  const id = await add({
    name: 'tools',
    folder: path.join(folder, '..', 'later'),
    createFolder: true,
  })
  await db().workspace.update({ where: { id }, data: { realFolder: extraTools } })
  await closeProtectedFolders()
  expect(await db().workspace.findUnique({ where: { id } })).toMatchObject({ enabled: false })
  expect(await db().workspace.findUnique({ where: { id: good } })).toMatchObject({ enabled: true })
  const [entry] = await db().auditEntry.findMany({
    where: { objectId: id },
    orderBy: { at: 'desc' },
  })
  expect(entry).toMatchObject({
    actorLabel: 'system',
    reason: expect.stringContaining('extra tools'),
  })
  expect(await checkWorkspaces()).toMatchObject([
    { check: 'Workspace tools', detail: expect.stringMatching(/^switched off: .*extra tools/) },
  ])
  for (const change of [{ enabled: true }, { writable: true }]) {
    await expect(workspaceVerbs.update(admin, { id, ...change })).rejects.toMatchObject({
      fields: { folder: expect.stringContaining('extra tools') },
    })
  }
})

test('tools write nothing in the folder in which an MCP server works, or that its command leads to from there', async () => {
  const outside = path.join(base, 'works')
  mkdirSync(outside)
  symlinkSync(path.join(folder, 'a.md'), path.join(outside, 'linked.js'))
  const places = [
    { command: 'npx server', cwd: folder },
    { command: 'npx server', cwd: path.join(base, 'works', '..', path.basename(folder)) },
    { command: 'node linked.js', cwd: outside },
    { command: `node ../${path.basename(folder)}/a.md`, cwd: outside },
  ]
  const addServer = (place: { command: string; cwd: string }) =>
    serverVerbs.create(admin, { name: 'works', kind: 'stdio', enabled: false, ...place })
  const id = await workspaceOf()
  const words = expect.stringContaining('is in a workspace')
  for (const place of places) {
    await expect(addServer(place), JSON.stringify(place)).rejects.toMatchObject({
      fields: place.command === 'npx server' ? { cwd: words } : { command: words },
    })
  }
  const { id: moving } = await addServer({ command: 'npx server', cwd: outside })
  await expect(serverVerbs.update(admin, { id: moving, cwd: folder })).rejects.toMatchObject({
    fields: { cwd: words },
  })
  await serverVerbs.remove(admin, { id: moving })
  await workspaceVerbs.update(admin, { id, writable: false })
  for (const place of places) {
    const { id: serverId } = await addServer(place)
    const opening = workspaceVerbs.update(admin, { id, writable: true })
    await expect(opening, JSON.stringify(place)).rejects.toMatchObject({
      fields: { folder: expect.stringContaining('The server works is started with') },
    })
    await serverVerbs.remove(admin, { id: serverId })
  }
})

/** Returns a workspace of the folder that tools may write in, which may be there. */
async function workspaceOf(): Promise<string> {
  const found = await db().workspace.findFirst({ where: { writable: true } })
  return found?.id ?? add({ writable: true })
}

test.each([
  ['docs', 'Give the full path'],
  ['/no/such/folder', 'There is no folder /no/such/folder'],
  [process.execPath, 'There is no folder'],
])('%s is no folder to work in', async (cwd, words) => {
  const server = { name: 'nowhere', kind: 'stdio', command: 'true', cwd, enabled: false } as const
  await expect(serverVerbs.create(admin, server)).rejects.toMatchObject({
    fields: { cwd: expect.stringContaining(words) },
  })
})

test('variables are entered again for another working folder', async () => {
  const { id } = await serverVerbs.create(admin, {
    name: 'kept',
    kind: 'stdio',
    command: 'true',
    variables: 'A=1',
    enabled: false,
  })
  await expect(serverVerbs.update(admin, { id, cwd: base })).rejects.toMatchObject({
    fields: { variables: expect.stringContaining('Enter the variables again.') },
  })
  await serverVerbs.update(admin, { id, cwd: base, variables: 'A=2' })
  await serverVerbs.remove(admin, { id })
})

test('a folder to which the backups of the console are led is never opened to tools or programs', async () => {
  const former = env().TOOLGATE_DATA_DIR
  const data = mkdtempSync(path.join(tmpdir(), 'linked-data-'))
  symlinkSync(folder, path.join(data, 'backups'))
  setEnv({ TOOLGATE_DATA_DIR: data })
  try {
    for (const use of ['workspace', 'program'] as const) {
      expect(await protectionOf(folder, use)).toContain('data of Toolgate')
      expect(await protectionOf(base, use)).toContain('data of Toolgate')
    }
    await expect(add()).rejects.toThrow(ValidationError)
  } finally {
    setEnv({ TOOLGATE_DATA_DIR: former })
    rmSync(data, { recursive: true })
  }
})
