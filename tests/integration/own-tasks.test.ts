import { beforeAll, beforeEach, expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { allowGroup, updateConfigurationPolicy } from '@/lib/domains/configurations/policy-verbs'
import { findConfiguration } from '@/lib/domains/configurations/reads'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import type { TaskInput } from '@/lib/domains/tasks/shape'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import { listOwnTasks, OwnTaskFilter, readOwnTask } from '@/lib/runs/lists/own-tasks'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite } from '@/tests/support/run-site'
import { greet } from '@/tests/support/task-fixture'

const secret = 'A text that only those read who may run it'

let admin: Ctx
let member: Ctx
let stranger: Ctx
let open: string
let closed: string

beforeAll(async () => {
  const sites = [await addRunSite('http://127.0.0.1:9'), await addRunSite('http://127.0.0.1:9')]
  const [first, second] = sites
  if (!first || !second) throw new Error('There are two sites.')
  admin = first.admin
  open = (await findConfiguration(admin, first.configuration)).id
  closed = (await findConfiguration(admin, second.configuration)).id
  member = await addPerson('member')
  stranger = await addPerson('member')
  const { id: groupId } = await groupVerbs.create(admin, { name: 'Greeters' })
  await addGroupMember(admin, { groupId, userId: member.actor.userId })
  await allowGroup(admin, { configurationId: open, groupId, allowed: true })
})

beforeEach(async () => {
  await db().run.deleteMany()
  await db().task.deleteMany()
})

async function add(identifier: string, more: Partial<TaskInput> = {}): Promise<string> {
  const named = { identifier, name: `Task ${identifier}`, description: secret }
  return (await taskVerbs.create(admin, { ...greet, ...named, configurationId: open, ...more })).id
}

async function ran(ctx: Ctx, taskId: string): Promise<string> {
  const { userId } = ctx.actor
  const data = { userId, taskId, prompt: 'x', request: {}, status: 'ended' as const }
  return (await db().run.create({ data })).id
}

async function list(ctx: Ctx, input: Record<string, string> = {}) {
  return listOwnTasks(ctx, OwnTaskFilter.parse(input))
}

test('a member sees the tasks that they may run, with what each needs and their own last run', async () => {
  const [mine, anyones] = [await add('mine'), await add('anyones', { configurationId: null })]
  const others = await add('others', { configurationId: closed })
  await ran(admin, mine)
  await ran(member, mine)
  const last = await ran(member, mine)

  const { tasks, total } = await list(member)
  expect(total).toBe(2)
  expect(tasks).toMatchObject([
    { id: anyones, configuration: null, lastRun: null, obstacle: null, isHalted: false },
    { id: mine, description: secret, lastRun: { runId: last }, obstacle: null },
  ])
  expect(tasks[1]?.variables.map(({ name }) => name)).toEqual(['who', 'tone'])
  expect(JSON.stringify(tasks)).not.toContain('others')

  expect(await readOwnTask(member, mine)).toMatchObject({ prompt: greet.prompt, obstacle: null })
  await expect(readOwnTask(member, others)).rejects.toThrow(NotFoundError)
  await expect(readOwnTask(member, 'no such task')).rejects.toThrow(NotFoundError)

  const [only, ...none] = (await list(stranger)).tasks
  expect(none).toEqual([])
  expect(only).toMatchObject({
    id: anyones,
    obstacle: 'There is no configuration that you may use.',
  })
})

test('it is searched, ordered, and read page by page', async () => {
  for (const number of Array.from({ length: 23 }, (_, index) => index + 10)) await add(`t${number}`)
  const names = async (input: Record<string, string>) =>
    (await list(member, input)).tasks.map(({ name }) => name)
  expect(await names({})).toHaveLength(20)
  expect(await names({ page: '2' })).toEqual(['Task t30', 'Task t31', 'Task t32'])
  expect((await names({ sort: '-name' }))[0]).toBe('Task t32')
  expect(await list(member, { search: 'T3' })).toMatchObject({ total: 3, whole: 23 })
})

test('a task that is switched off is named to people who ran it, without its texts, and to no others', async () => {
  const [off, halted] = [await add('off'), await add('halted')]
  await ran(member, off)
  await taskVerbs.update(admin, { id: off, enabled: false, reason: 'Wrong prompt.' })
  expect((await list(member)).tasks).toMatchObject([
    { id: halted, isHalted: false },
    {
      id: off,
      name: 'Task off',
      isHalted: true,
      description: '',
      variables: [],
      obstacle: 'This task is switched off. An admin can switch it on.',
    },
  ])
  expect((await list(member, { search: 'text that only' })).total).toBe(1)
  await expect(readOwnTask(member, off)).rejects.toThrow(NotFoundError)

  const policy = { id: open, reason: 'Too dear.' }
  await updateConfigurationPolicy(admin, { ...policy, enabled: false })
  const { tasks } = await list(member)
  await updateConfigurationPolicy(admin, { ...policy, enabled: true })
  // Only people who ran it learn that it exists.
  expect(tasks.map(({ id }) => id)).toEqual([off])

  // Neither does somebody who ran it and may not run it any more.
  await ran(stranger, off)
  expect((await list(stranger)).tasks).toEqual([])
})

test('why a task cannot be run now is said as in the Playground', async () => {
  const task = await add('mine')
  const why = async () => (await list(member)).tasks[0]?.obstacle
  await freezeSite(admin, { reason: 'A leak' })
  expect(await why()).toMatch(/froze this site at .*: A leak\. No run can start until an admin/)
  expect((await readOwnTask(member, task)).obstacle).toBe(await why())
  await unfreezeSite(admin, {})
  expect(await why()).toBeNull()

  const scope = { scope: 'configuration', scopeId: open } as const
  const { id } = await budgetVerbs.create(admin, {
    ...scope,
    window: 'month',
    unit: 'requests',
    amount: 1,
  })
  const now = new Date()
  const windowStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()))
  await db().budgetCounter.create({ data: { budgetId: id, windowStart, spent: 1n } })
  const anyones = await add('anyones', { configurationId: null })
  const obstacles = (await list(member)).tasks.map((each) => [each.id, each.obstacle])
  expect(obstacles).toEqual([
    [anyones, expect.stringMatching(/used up\. Limit: 1 request/)],
    [task, expect.stringMatching(/used up\. Limit: 1 request.* An admin can raise the budget\.$/)],
  ])
})
