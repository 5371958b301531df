import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { programVerbs } from '@/lib/domains/programs/verbs'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { sandboxProblem } from '@/lib/engines/programs/command-sandbox'
import type { Ctx } from '@/lib/kernel/context'
import { env } from '@/lib/kernel/env'
import { closeProtectedFolders } from '@/lib/runs/engine/close-protected-folders'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { readPresentNeeds } from '@/lib/toolset/policy/tool-needs'
import { programResources } from '@/lib/toolset/ports/programs'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { shellCommands } from '@/tests/support/shell-words'
import { toolgate } from '@/tests/support/toolgate-process'

const accepted = 'This machine has nothing else on it.'
let admin: Ctx
let member: Ctx
let folder: string

beforeAll(async () => {
  ;[admin, member] = await Promise.all([addPerson('admin'), addPerson('member')])
})
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'programs-')))
  mkdirSync(path.join(folder, 'handbook'))
})
afterEach(async () => {
  await db().program.deleteMany()
  await db().workspace.deleteMany()
  rmSync(folder, { recursive: true, force: true })
})

type Values = Parameters<typeof programVerbs.create>[1]
const add = async (values: Partial<Values> = {}) =>
  (await programVerbs.create(admin, { name: 'list', path: '/bin/ls', accepted, ...values })).id

/** Makes a program of this test. */
function script(place: string): string {
  const file = path.join(folder, place)
  writeFileSync(file, '#!/bin/sh\necho "own program 7.1"\n')
  chmodSync(file, 0o755)
  return file
}

test('only admins list programs, and adding one needs a fresh proof', async () => {
  await expect(programVerbs.list(member, { sort: 'name' })).rejects.toThrow('admin')
  await expect(
    programVerbs.create(member, { name: 'list', path: '/bin/ls', accepted }),
  ).rejects.toThrow('admin')
})

test('exec is there once a program and a workspace are switched on', async () => {
  const needs = async () => (await readPresentNeeds(db())).has('program')
  const id = await add()
  expect(await needs()).toBe(false)
  await workspaceVerbs.create(admin, { name: 'handbook', folder: path.join(folder, 'handbook') })
  expect(await needs()).toBe(true)
  await programVerbs.update(admin, { id, enabled: false })
  expect(await needs()).toBe(false)
})

test('a file that tools may change is no program, also through a link and where the workspace comes later', async () => {
  await workspaceVerbs.create(admin, { name: 'handbook', folder: path.join(folder, 'handbook') })
  const inside = script('handbook/run')
  const words = { path: 'It is in a workspace, where tools may change it. Put it elsewhere.' }
  expect(await refusedFields(add({ path: inside }))).toEqual(words)
  const link = path.join(folder, 'link')
  symlinkSync(inside, link)
  expect(await refusedFields(add({ path: link }))).toEqual(words)

  mkdirSync(path.join(folder, 'later'))
  await add({ name: 'own', path: script('later/run') })
  const { find } = programResources(db())
  expect(await find('own')).toMatchObject({ problem: null })
  await workspaceVerbs.create(admin, { name: 'later', folder: path.join(folder, 'later') })
  expect(await find('own')).toMatchObject({ problem: words.path })
})

test('a program reads no workspace as a further folder, where nothing in it would be covered', async () => {
  const handbook = path.join(folder, 'handbook')
  mkdirSync(path.join(handbook, 'part'))
  await add({ name: 'stored', readable: folder })
  await workspaceVerbs.create(admin, { name: 'handbook', folder: handbook })
  for (const readable of [folder, handbook, path.join(handbook, 'part')])
    expect(await refusedFields(add({ readable })), readable).toEqual({
      readable: expect.stringContaining('secrets and the settings of repositories'),
    })
  const { find } = programResources(db())
  expect(await find('stored')).toMatchObject({ problem: expect.stringContaining('workspace') })
})

test('a program reads no folder of the system, of people or of Toolgate, also through a link', async () => {
  const link = path.join(folder, 'link')
  symlinkSync('/etc', link)
  for (const readable of [
    env().TOOLGATE_DATA_DIR,
    process.cwd(),
    '/',
    '/etc',
    '/etc/ssl',
    '/root',
    '/run',
    '/sys',
    '/proc',
    '/proc/self/root/etc',
    '/var/lib',
    '/opt',
    '/tmp',
    '/home',
    link,
  ]) {
    const request = add({ readable: path.resolve(readable) })
    expect((await refusedFields(request)).readable, readable).toMatch(
      /folder of the system|holds the folders|of Toolgate|absolute paths/,
    )
  }
  const keys = path.join(folder, '.ssh', 'more')
  mkdirSync(keys, { recursive: true })
  const words = {
    readable: `${keys}: .ssh in its path is hidden, as programs hide settings and keys. Pick another folder.`,
  }
  expect(await refusedFields(add({ readable: keys }))).toEqual(words)
  // A folder of its own, also below one with a dot in front.
  const own = path.join(folder, '.nvm')
  mkdirSync(own)
  const id = await add({ name: 'own', readable: `${own}\n/usr/share` })
  await db().program.update({ where: { id }, data: { readable: '/etc' } })
  const { find } = programResources(db())
  expect(await find('own')).toMatchObject({ problem: expect.stringContaining('of the system') })
  await closeProtectedFolders()
  expect(await db().program.findUnique({ where: { id } })).toMatchObject({ enabled: false })
  const again = programVerbs.update(admin, { id, enabled: true })
  expect((await refusedFields(again)).readable).toContain('of the system')
})

test('without a sandbox, a program needs a reason to be switched on', async () => {
  const problem = await sandboxProblem()
  const request = add({ accepted: null })
  if (problem === null) return expect(await request).toBeTruthy()
  expect((await refusedFields(request)).accepted).toContain(problem)
  await add({ accepted: null, enabled: false })
})

test('only a person on the console says that a program may run without a sandbox, and changes what then runs', async () => {
  const words = {
    accepted:
      'Only a person on the console says why a program may run without a sandbox, and changes one that may.',
  }
  const key: Ctx = { ...admin, via: 'api', apiKeyId: randomUUID() }
  for (const [name, by] of Object.entries({ terminal: { ...admin, via: 'cli' } as const, key })) {
    const request = programVerbs.create(by, { name, path: '/bin/ls', accepted })
    await expect(request, name).rejects.toThrow(name === 'key' ? 'API keys cannot' : words.accepted)
  }
  const late = Object.assign(new Error('Confirm that it is you.'))
  const requireProof = () => {
    throw late
  }
  await expect(
    programVerbs.create({ ...admin, requireProof }, { name: 'list', path: '/bin/ls', accepted }),
  ).rejects.toBe(late)

  const id = await add()
  const terminal: Ctx = { ...admin, via: 'cli' }
  const chosen = [
    { accepted: `${accepted} Again.` },
    { path: '/bin/sh' },
    { name: 'other' },
    { first: '-c' },
    { network: true },
  ]
  for (const change of chosen) {
    const refused = await refusedFields(programVerbs.update(terminal, { id, ...change }))
    expect(refused, JSON.stringify(change)).toEqual(words)
  }
  await programVerbs.update(terminal, { id, seconds: 5, enabled: false, reason: 'a pause' })
  await programVerbs.update(terminal, { id, accepted: null })
  await programVerbs.update(terminal, { id, path: '/bin/cat' })
  expect(await db().program.findUnique({ where: { id } })).toMatchObject({ accepted: null })

  expect((await toolgate(['program', 'edit', 'list', '--seconds', '6'])).code).toBe(0)
  await db().program.update({ where: { id }, data: { accepted } })
  expect((await toolgate(['program', 'edit', 'list', '--no-accepted'])).code).toBe(0)
  expect(await db().program.findUnique({ where: { id } })).toMatchObject({
    accepted: null,
    seconds: 6,
  })
  const { stderr, code } = await toolgate(['program', 'edit', 'list', '--accepted', accepted])
  expect([code, stderr]).toEqual([2, expect.stringContaining("unknown option '--accepted'")])
})

test('a site file neither has nor gives the reason why a program may run without a sandbox', async () => {
  const id = await add()
  const text = await exportSite(admin)
  expect(text).not.toContain(accepted)
  expect((await planSite(admin, parseSiteFile(text))).steps).toEqual([])
  expect(await db().program.findUnique({ where: { id } })).toMatchObject({ accepted })
  const written = text.replace('accepted: null', `accepted: ${accepted}`)
  expect(() => parseSiteFile(written)).toThrow('Only a person on the console gives this')
})

test('a program says its version from the sandbox alone, and what is wrong with it now', async () => {
  const file = script('own')
  const id = await add({ name: 'own', path: file })
  const inBox = (await sandboxProblem()) === null
  expect(await programVerbs.read(admin, { id })).toMatchObject({
    version: inBox ? 'own program 7.1' : null,
    trouble: null,
  })
  rmSync(file)
  expect(await programVerbs.read(admin, { id })).toMatchObject({
    version: null,
    trouble: 'There is no such file on the server.',
  })
  expect((await toolgate(['doctor'])).stdout).toContain('Program own')
})

test('the doctor names a program with older rules, and its command makes them those of today', async () => {
  const tar = { name: 'tar', path: '/bin/tar', subcommands: '-tf -xf', refused: '--to-command -I' }
  const id = await add({ ...tar, first: '--warning=none' })
  const advice = 'Open its page on the console, and use the suggested rules.'
  expect((await toolgate(['doctor'])).stdout).toContain(advice)
  await db().program.update({ where: { id }, data: { accepted: null } })
  const before = (await toolgate(['doctor'])).stdout
  expect(before).toContain('Program tar: Toolgate suggests stronger rules now')
  expect((await toolgate(['program', 'show', 'tar'])).stdout).toMatch(/does not refuse .* -F /)
  const [, words = ''] = /toolgate (program edit tar .*)/.exec(before) ?? []
  const [command] = [...shellCommands(words, new Map())]
  expect(await toolgate(command?.words ?? [])).toMatchObject({ code: 0, stderr: '' })
  expect(await db().program.findUnique({ where: { id } })).toMatchObject({
    first: expect.stringMatching(/^--force-local .*--warning=none$/),
    subcommands: '-tf -xf',
    refused: expect.stringMatching(/^--to-command -I .*--checkpoint-action/),
  })
  expect((await toolgate(['doctor'])).stdout).not.toContain('stronger rules')
})

test('the site file has programs, and adds them again', async () => {
  await add({ first: '-l', subcommands: 'a b', refused: '--color -x', network: true, seconds: 9 })
  const text = await exportSite(admin)
  await db().program.deleteMany()
  const file = parseSiteFile(text)
  expect((await planSite(admin, file)).steps).toMatchObject([{ kind: 'programs' }])
  await applySite(admin, file, { reason: 'a new site' })
  expect(await programVerbs.list(admin, { sort: 'name' })).toMatchObject({
    rows: [{ name: 'list', first: '-l', subcommands: 'a b', refused: '--color -x', seconds: 9 }],
  })
})
