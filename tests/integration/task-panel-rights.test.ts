import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteConfiguration, updateConfiguration } from '@/lib/domains/configurations/verbs'

import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'

import { type TaskInput, tasks } from '@/lib/domains/tasks/shape'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import { listRunnableTasks, readRunnableTask } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { costCapChoices } from '@/lib/protocol/cost/cost-caps'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { readPanel } from '@/lib/runs/panels/read-panel'
import { startTask } from '@/lib/runs/start/start-task'
import { db } from '@/tests/support/fixture-db'
import { startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPanelSite, type PanelSite } from '@/tests/support/panel-site'
import { addPerson } from '@/tests/support/people'
import { collect } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let server: Awaited<ReturnType<typeof startModelServer>>
let engine: Engine
let site: PanelSite
let member: Ctx

/** The first configuration is for the member, too; the second one for admins alone. */
beforeAll(async () => {
  server = await startModelServer({ script: () => ({ text: 'Fine.' }) })
  engine = await startTestEngine()
  site = await addPanelSite(server.url, ['openai-compatible', 'anthropic'])
  member = await addPerson('member')
  const { id: groupId } = await groupVerbs.create(site.admin, { name: 'Team' })
  await addGroupMember(site.admin, { groupId, userId: member.actor.userId })
  const [open = ''] = site.configurations
  const { id: configurationId } = await db().configuration.findFirstOrThrow({
    where: { identifier: open },
  })
  await db().configurationGroup.create({ data: { configurationId, groupId } })
})
afterAll(async () => {
  await engine.close()
  await server.close()
})

const cap = { mode: 'enforce' as const, limitMicroUsd: 5_000_000 }

async function add(identifier: string, panel: TaskInput['panel']): Promise<string> {
  const form = { identifier, name: identifier, prompt: 'Is it safe?', panel }
  return (await taskVerbs.create(site.admin, form)).id
}

async function statesOf(ctx: Ctx, panelId: string | null) {
  const read = () => readPanel(ctx, { panelId: panelId ?? '' })
  await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe('ended')
  const { members } = await read()
  return Promise.all(members.map(async ({ run }) => foldRun(await collect(ctx, run?.runId ?? ''))))
}

test('G-X: what a task enforces on a member of its panel, a member of the site does not make looser', async () => {
  const [configuration = ''] = site.configurations
  const role = { costCap: cap }
  await add('capped', { kind: 'coordinate', proposer: role, critics: [role], synthesizer: role })
  const { panelId } = await startTask(member, { task: 'capped', configuration })
  for (const { start } of await statesOf(member, panelId)) {
    const caps = start?.snapshot.costCaps ?? []
    expect(caps).toEqual([{ scope: 'run', setBy: 'task', ...cap }])
    expect(costCapChoices(caps, 'member')).toEqual(['enforce'])
  }
  await add('compared', {
    kind: 'confer',
    configurations: site.configurations,
    memberCostCap: cap,
  })
  const compared = await startTask(site.admin, { task: 'compared' })
  for (const { start } of await statesOf(site.admin, compared.panelId))
    expect(start?.snapshot.costCaps).toEqual([{ scope: 'run', setBy: 'task', ...cap }])
})

test('A3: a task that names a configuration which a member may not use is not there for them', async () => {
  const [open = '', closed = ''] = site.configurations
  const roles = { proposer: {}, synthesizer: {} }
  await add('hidden', { kind: 'coordinate', ...roles, critics: [{ configuration: closed }] })
  const shown = await add('shown', {
    kind: 'coordinate',
    ...roles,
    critics: [{ configuration: open }],
  })
  const names = async () => (await listRunnableTasks(member, {})).map(({ name }) => name)
  expect(await names()).toEqual(expect.arrayContaining(['shown']))
  expect(await names()).not.toContain('hidden')
  await expect(readRunnableTask(member, { task: 'hidden' })).rejects.toThrow('does not exist')
  const start = startTask(member, { task: 'hidden', configuration: open })
  await expect(start).rejects.toThrow('does not exist')
  // The present members of the panel count, not the former ones.
  const critics = [{ configuration: closed }]
  await taskVerbs.update(site.admin, {
    id: shown,
    panel: { kind: 'coordinate', ...roles, critics },
  })
  expect(await names()).not.toContain('shown')
  await taskVerbs.update(site.admin, { id: shown, panel: null })
  expect(await names()).toContain('shown')
})

test('a configuration that a panel names is neither deleted nor renamed, and the refusal says by what', async () => {
  const [, closed = ''] = site.configurations
  const id = await add('holding', { kind: 'confer', configurations: site.configurations })
  const gone = deleteConfiguration(site.admin, { id: closed })
  await expect(gone).rejects.toThrow('the task holding')
  const { version } = await db().configuration.findFirstOrThrow({ where: { identifier: closed } })
  const other = updateConfiguration(site.admin, { id: closed, version, identifier: 'another' })
  await expect(other).rejects.toThrow('is named by')
  const [old] = await taskVerbs.versions(site.admin, { id })
  expect(old?.form.panel).toMatchObject({ configurations: site.configurations })
})

test('a comparison names each configuration once, and takes no other', async () => {
  const [open = ''] = site.configurations
  const of = (configurations: string[]) =>
    tasks.Create.safeParse({
      identifier: 'x',
      name: 'x',
      prompt: 'x',
      panel: { kind: 'confer', configurations },
    }).error?.issues.map(({ path, message }) => [path.join('.'), message])
  expect(of([open, open])).toEqual([['panel.configurations', 'Name each configuration once.']])
  expect(of([open, ''])).toEqual([['panel.configurations.1', 'Pick a configuration.']])
  await add('pair', { kind: 'confer', configurations: site.configurations })
  await expect(startTask(site.admin, { task: 'pair', configuration: open })).rejects.toMatchObject({
    fields: { configuration: expect.stringContaining('Leave this out') },
  })
})
