import { beforeAll, expect, test } from 'vitest'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { addPerson } from '@/tests/support/people'
import { addRunSite } from '@/tests/support/run-site'
import { lists } from '@/tests/support/skills'
import { pasteSkill } from '@/tests/support/task-fixture'
import { toolgate } from '@/tests/support/toolgate-process'

let admin: Ctx
let configuration: string

beforeAll(async () => {
  admin = await addPerson('admin')
  configuration = (await addRunSite('http://127.0.0.1:9')).configuration
  await pasteSkill(admin, 'env', lists('get_env'))
})

const task = (args: string[], input = '') =>
  toolgate(['task', ...args, '--as', admin.actor.email], { input })
const json = async (args: string[], input?: string) =>
  JSON.parse((await task([...args, '--json'], input)).stdout)

test('"add" and "edit" read a task as "show" prints it', async () => {
  const written = { identifier: 'say', name: 'Say', prompt: 'Say it.', configuration }
  const skills = ['env', { name: 'env', enabled: false }]
  const twice = await task(['add', '-'], JSON.stringify({ ...written, skills }))
  expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('Name each skill once.') })
  const file = JSON.stringify({ ...written, skills: ['env'], costCapMicroUsd: 250_000 })
  const { id } = await json(['add', '-'], file)
  const { stdout: shown } = await task(['show', 'say'])
  expect(shown).toContain(`configuration: ${configuration}\n`)
  expect(shown).toContain('costCapMicroUsd: 250000\n')
  expect(shown).toContain('skills:\n  - name: env\n    enabled: true\n')
  expect(shown).not.toMatch(/^(id|version|enabled):/m)
  const same = await task(['edit', 'say', '-'], shown)
  expect(same.stdout).toBe('The task did not change. It is at version 1.\n')
  expect(await json(['show', 'say'])).toMatchObject({ id, version: 1, runs: 0, prompt: 'Say it.' })

  // A file is the whole of a task: what it leaves out has its default value. The switch stays as it is.
  await task(['disable', 'say', '--reason', 'Being rewritten.'])
  const less = JSON.stringify({ identifier: 'say', name: 'Say', prompt: 'Say less.' })
  const edited = await task(['edit', id, '-', '--note', 'Ask for less'], less)
  expect(edited.stdout).toMatch(/Prompt:\n- Say it\.\n\+ Say less\./)
  expect(edited.stdout).toMatch(/Skills:\n- env\n\+ *\n/)
  expect(edited.stdout).toContain('The task is now at version 2.')
  const after = await taskVerbs.read(admin, { id })
  expect(after).toMatchObject({ enabled: false, skills: [], costCapMicroUsd: null })
  const { stdout: versions } = await task(['versions', 'say'])
  expect(versions).toMatch(
    /2 .*Prompt, Configuration, Cost cap of a run or panel, US dollars, Skills +Ask/,
  )
})

test('a file with a mistake is refused beside its place', async () => {
  const refused = async (part: object) => {
    const written = { identifier: 'bad', name: 'Bad', prompt: 'x', ...part }
    const { code, stderr } = await task(['add', '-'], JSON.stringify(written))
    return [code, stderr]
  }
  const nearly = configuration.slice(0, -1)
  expect(await refused({ configuration: nearly })).toEqual([
    2,
    expect.stringContaining(`Did you mean "${configuration}"?`),
  ])
  expect(await refused({ promt: '' })).toEqual([2, expect.stringContaining('promt')])
  expect(await refused({ prompt: 'x {{y}}' })).toEqual([2, expect.stringContaining('{{y}}')])
  const many = Array.from({ length: 201 }, (_, index) => `skill-${index}`)
  expect(await refused({ skills: many })).toEqual([2, expect.stringContaining('At most 200')])
  expect(await task(['add', '-'], '[]')).toMatchObject({ code: 2 })
})

test('tasks are listed, switched with a reason, and deleted', async () => {
  await taskVerbs.create(admin, { identifier: 'one', name: 'One', prompt: 'One.' })
  const { stdout } = await task(['list'])
  expect(stdout).toMatch(
    /^IDENTIFIER +NAME +STATE +CONFIGURATION +VARIABLES +RUNS AS +SKILLS +VERSION$/m,
  )
  expect(stdout).toMatch(/^one +One +on +picked for each run +0 +one run +0 +1$/m)
  expect(await task(['disable', 'one'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('other people run this task'),
  })
  const off = ['disable', 'one', '--reason', 'Old.']
  expect(await json(off)).toMatchObject({ identifier: 'one', enabled: false, changed: true })
  expect(await json(off)).toMatchObject({ identifier: 'one', enabled: false, changed: false })
  expect(await task(['restore', 'one', '1'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('one is already the same as version 1.'),
  })
  expect(await task(['show', 'onne'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Did you mean "one"?'),
  })
  expect(await json(['delete', 'one'])).toMatchObject({ identifier: 'one', removed: true })
  expect((await task(['show', 'one'])).code).toBe(1)
})
