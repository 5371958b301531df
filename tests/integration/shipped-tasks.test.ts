import { afterAll, beforeAll, expect, test } from 'vitest'
import { addShippedTask, listShippedTasks, ShippedIdentifier } from '@/lib/domains/tasks/shipped'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { Engine } from '@/lib/runs/engine/engine'
import { readPanel } from '@/lib/runs/panels/read-panel'
import { startTask } from '@/lib/runs/start/start-task'
import { seed } from '@/prisma/seed'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { startTestEngine } from '@/tests/support/test-engine'
import { toolgate } from '@/tests/support/toolgate-process'

let engine: Engine
let admin: Ctx

beforeAll(async () => {
  await seed({ source: {}, ollamaUrl: 'http://127.0.0.1:9' })
  engine = await startTestEngine()
  admin = await addPerson('admin')
})
afterAll(() => engine.close())

const values = {
  'review-plan': { plan: 'Move the database on Sunday.' },
  'compare-answers': { question: 'Is it safe?', answer_a: 'Yes.', answer_b: 'Not on a Sunday.' },
  'check-text': { text: 'The sky is blue.', sources: 'It was blue.' },
}

test.each(ShippedIdentifier.options)(
  '%s runs with any configuration, in the forms of its roles',
  async (task) => {
    const variables = values[task]
    const { panelId } = await startTask(admin, { task, configuration: 'demo', variables })
    const read = () => readPanel(admin, { panelId: panelId ?? '' })
    await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe('ended')
    const { members, prompt } = await read()
    for (const given of Object.values(variables)) expect(prompt).toContain(given)
    expect(members.map(({ run }) => [run?.endReason, run?.envelope !== null])).toEqual(
      members.map(() => ['completed', true]),
    )
  },
)

test('one that was deleted can be added again, changed and scheduled like any other', async () => {
  const isAdded = async () =>
    (await listShippedTasks(admin, {})).find(({ identifier }) => identifier === 'review-plan')
      ?.isAdded
  const again = addShippedTask(admin, { identifier: 'review-plan' })
  await expect(again).rejects.toThrow('Another task has this identifier.')
  await taskVerbs.remove(admin, { id: 'review-plan' })
  expect(await isAdded()).toBe(false)
  const as = ['--as', admin.actor.email]
  const added = await toolgate(['task', 'add-shipped', 'review-plan', ...as])
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect(await isAdded()).toBe(true)
  expect((await toolgate(['task', 'shipped', ...as])).stdout).toMatch(
    /^review-plan +Review a plan +yes$/m,
  )
  expect(await toolgate(['task', 'add-shipped', 'nothing', ...as])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Name one of'),
  })
  const shown = (await toolgate(['task', 'show', 'review-plan', ...as])).stdout
  const changed = shown.replace('You are a critic who looks', 'You are a careful critic who looks')
  const edited = await toolgate(['task', 'edit', 'review-plan', '-', ...as], { input: changed })
  expect(edited).toMatchObject({ code: 0, stdout: expect.stringContaining('at version 2') })
  const at = ['schedule', 'add', 'Weekly', '--at', '0 8 * * 1', '--task', 'review-plan']
  const wrong = await toolgate([...at, '--configuration', 'demo', ...as])
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('plan') })
  const plan = ['--var', 'plan=Move it.', '--var', 'limits=None.']
  expect(await toolgate([...at, ...plan, '--configuration', 'demo', ...as])).toMatchObject({
    code: 0,
    stderr: '',
  })
  const schedule = await db().schedule.findFirstOrThrow({ where: { name: 'Weekly' } })
  expect(schedule.variables).toEqual({ plan: 'Move it.', limits: 'None.' })
  const run = ['task', 'run', 'review-plan', '--configuration', 'demo', '--var', 'plan=Move it.']
  const ran = await toolgate([...run, '--json', ...as])
  expect(ran.code).toBe(0)
  expect(JSON.parse(ran.stdout)).toMatchObject({ kind: 'coordinate', status: 'ended' })
  const tooled = await toolgate([...run, '--no-tools', ...as])
  expect(tooled).toMatchObject({ code: 2, stderr: expect.stringContaining('runs as a panel') })
})
