import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { lists } from '@/tests/support/skills'
import { pasteSkill } from '@/tests/support/task-fixture'

let admin: Ctx
const fileOf = (...tasks: object[]) => parseSiteFile(JSON.stringify({ toolgate: 2, tasks }))
const apply = (task: object, reason: string) => applySite(admin, fileOf(task), { reason })

beforeAll(async () => {
  admin = await addPerson('admin')
  await pasteSkill(admin, 'env', lists('get_env'))
})

const greet = {
  identifier: 'greet',
  name: 'Greet',
  prompt: 'Greet {{who}}.',
  variables: [{ name: 'who' }],
  costCapUsd: '0.25',
  skills: [{ name: 'env', enabled: false }],
  enabled: false,
}

test('a site file adds, changes and switches tasks; its reason is the note of each version', async () => {
  await apply(greet, 'From the repository')
  const added = await taskVerbs.read(admin, { id: 'greet' })
  expect(added).toMatchObject({ enabled: false, version: 1, costCapMicroUsd: 250_000 })
  expect(added.skills).toMatchObject([{ name: 'env', enabled: false }])
  const [exported] = parse(await exportSite(admin)).tasks
  expect(exported).toMatchObject({ ...greet, variables: [{ name: 'who', type: 'text' }] })
  expect((await planSite(admin, fileOf(greet))).steps).toEqual([])
  expect((await planSite(admin, parseSiteFile(await exportSite(admin)))).steps).toEqual([])

  const change = { identifier: 'greet', costCapUsd: null, skills: [{ name: 'env' }], enabled: true }
  const { steps } = await planSite(admin, fileOf(change))
  expect(steps[0]?.changes).toEqual([
    { field: 'costCapUsd', before: '0.25', after: null },
    { field: 'skills', before: greet.skills, after: [{ name: 'env', enabled: true }] },
    { field: 'enabled', before: false, after: true },
  ])
  await apply(change, 'Cheaper')
  const versions = await taskVerbs.versions(admin, { id: 'greet' })
  expect(versions.map(({ version, note }) => [version, note])).toEqual([
    [2, 'Cheaper'],
    [1, 'From the repository'],
  ])
  const rows = await db().auditEntry.findMany({ where: { objectId: added.id } })
  expect(rows.map(({ action, reason }) => [action, reason]).sort()).toEqual([
    ['task.create', 'From the repository'],
    ['task.switch-on', 'Cheaper'],
    ['task.update', 'Cheaper'],
  ])
})

test('values of a task that do not fit are reported before anything is applied', async () => {
  const misfit = { identifier: 'greet', prompt: 'Greet {{who}} {{often}}.' }
  expect((await planSite(admin, fileOf(misfit))).problems).toEqual([
    expect.stringContaining('The task greet, prompt: The prompt uses {{often}}'),
  ])
  const unknown = { ...misfit, skills: [{ name: 'envs' }] }
  expect((await planSite(admin, fileOf(unknown))).problems[0]).toBe(
    'The task greet needs the skill envs, which does not exist on this site. Did you mean "env"?',
  )
  const typo = { ...greet, variables: [{ name: 'who', requird: false }] }
  expect(() => fileOf(typo)).toThrow('tasks 1, variables 1: Unrecognized key: "requird"')
  expect(() => fileOf({ ...greet, costCapUsd: 'much' })).toThrow('Write US dollars such as "0.75".')
  expect(() => fileOf({ ...greet, costCapUsd: 0 })).toThrow('More than 0.')
  await expect(apply({ identifier: 'new' }, 'x')).rejects.toThrow(
    'A new task needs name and prompt.',
  )
})
