import { beforeAll, expect, test } from 'vitest'
import { readEditableConfiguration } from '@/lib/domains/configurations/reads'
import { cloneConfiguration } from '@/lib/domains/configurations/verbs'
import { restoreConfigurationVersion } from '@/lib/domains/configurations/version-verbs'
import {
  addConfiguration as addChecked,
  editConfiguration,
  governConfiguration,
} from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { explainTools } from '@/lib/toolset/policy/explain-tools'
import { policyEffect } from '@/lib/toolset/policy/policy-effect'
import { addLocalModel } from '@/tests/support/add-local-model'
import { addConfiguration, edit, formOf, gateOf, tag } from '@/tests/support/configuration-fixture'
import { db } from '@/tests/support/fixture-db'
import { startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { collect, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { toolgate } from '@/tests/support/toolgate-process'

let admin: Ctx
let modelId: string

const every = { allowedToolGroups: null, allowedTools: [] }
const two = { allowedToolGroups: [], allowedTools: ['get_env', 'list_users'] }

beforeAll(async () => {
  admin = await addPerson('admin')
  const nowhere = { connectionName: 'Near', url: 'http://127.0.0.1:9' }
  modelId = await addLocalModel(admin, { wire: 'openai-compatible', ...nowhere })
})

/** Returns the names of the tools that its runs of an admin would be offered. */
async function allowedBy(id: string): Promise<string[]> {
  const { userId } = admin.actor
  const tools = await explainTools(admin, { userId, configuration: id, selected: null })
  return tools
    .filter(({ verdict }) => verdict.allowed)
    .map(({ name }) => name)
    .toSorted()
}

async function namesIn(id: string) {
  const { allowedToolGroups, allowedTools } = (await readEditableConfiguration(admin, { id })).form
  return { allowedToolGroups, allowedTools }
}

test('without groups, exactly the single tools are allowed; with groups, both are', async () => {
  const id = await addConfiguration(admin, { modelId, ...two })
  expect(await allowedBy(id)).toEqual(['get_env', 'list_users'])
  await edit(admin, id, { allowedToolGroups: ['accounts'], allowedTools: ['get_env'] })
  expect(await allowedBy(id)).toEqual(['get_env', 'list_groups', 'list_users'])
  await governConfiguration(admin, { id, allowedTools: [] })
  expect(await allowedBy(id)).toEqual(['list_groups', 'list_users'])
  await governConfiguration(admin, { id, allowedToolGroups: [] })
  expect(await allowedBy(id)).toEqual([])
  await governConfiguration(admin, { id, allowedToolGroups: null })
  expect(await allowedBy(id)).toContain('fetch_logs')
})

test('a new configuration and one from before single tools allow every tool', async () => {
  const id = await addConfiguration(admin, { modelId })
  expect(await namesIn(id)).toEqual(every)
  const { version, form } = await readEditableConfiguration(admin, { id })
  const { allowedTools: _, ...old } = form
  await db().configurationVersion.updateMany({
    where: { configurationId: id, version },
    data: { data: old },
  })
  await edit(admin, id, two)
  await restoreConfigurationVersion(admin, { id, restored: version, version: version + 1 })
  expect(await namesIn(id)).toEqual(every)
})

test('single tools beside every group are refused, and end where every group is allowed', async () => {
  const id = await addConfiguration(admin, { modelId })
  const { version } = await readEditableConfiguration(admin, { id })
  const single = { allowedTools: ['get_env'] }
  for (const refused of [
    () => addChecked(admin, { identifier: `x-${tag()}`, name: 'X', modelId, ...single }),
    () => editConfiguration(admin, { id, version, ...single }),
    () => governConfiguration(admin, { id, ...single }),
  ]) {
    expect(await refusedFields(refused())).toEqual({
      allowedTools: expect.stringContaining('All tool groups are allowed'),
    })
  }
  await edit(admin, id, two)
  await governConfiguration(admin, { id, allowedToolGroups: null })
  expect(await namesIn(id)).toEqual(every)
  const [entry] = await db().auditEntry.findMany({
    where: { action: 'configuration.update-policy', objectId: id },
  })
  expect(entry).toMatchObject({ before: two, after: every })
})

test('a name that no tool has is kept, allows nothing, and is taken on by nobody', async () => {
  const id = await addConfiguration(admin, { modelId, ...two })
  const kept = { allowedToolGroups: [], allowedTools: ['get_env', 'was_here'] }
  await db().configuration.update({ where: { id }, data: kept })
  expect(await allowedBy(id)).toEqual(['get_env'])
  await governConfiguration(admin, { id, allowedTools: ['was_here', 'get_env', 'list_users'] })
  expect(await namesIn(id)).toMatchObject({ allowedTools: ['get_env', 'list_users', 'was_here'] })
  const misspelt = governConfiguration(admin, { id, allowedTools: ['get_envv'] })
  expect(await refusedFields(misspelt)).toEqual({
    allowedTools: 'There is no tool "get_envv". Did you mean "get_env"?',
  })
  const both = { allowedToolGroups: ['acounts'], allowedTools: ['get_envv'] }
  expect(Object.keys(await refusedFields(governConfiguration(admin, { id, ...both })))).toEqual([
    'allowedToolGroups',
    'allowedTools',
  ])
  await governConfiguration(admin, { id, allowedTools: ['get_env'] })
  const again = governConfiguration(admin, { id, allowedTools: ['was_here'] })
  expect(await refusedFields(again)).toHaveProperty('allowedTools')
})

test('a copy has them, and a preview says what they open and close', async () => {
  const id = await addConfiguration(admin, { modelId, ...two })
  const copy = await cloneConfiguration(admin, { id, identifier: `c-${tag()}`, name: 'Copy' })
  expect(await namesIn(copy.id)).toEqual(two)
  const effect = await policyEffect(admin, {
    id,
    modelIds: [modelId],
    allowedToolGroups: ['accounts'],
    allowedTools: [],
  })
  expect(effect).toMatchObject({ opens: ['list_groups', 'list_users_raw'], closes: ['get_env'] })
})

test('a run may use what was allowed when it began and is allowed now', async () => {
  let requestCount = 0
  const server = await startModelServer({
    script: async () => {
      requestCount += 1
      if (requestCount > 1) return { text: 'Done.' }
      await edit(admin, id, { allowedToolGroups: ['accounts'], allowedTools: ['get_env'] })
      return {
        calls: ['get_env', 'list_users', 'get_runtime_info', 'list_groups'].map((name) => ({
          name,
          arguments: {},
        })),
      }
    },
  })
  const local = { wire: 'openai-compatible', connectionName: 'Here', url: server.url } as const
  const id = await addConfiguration(admin, {
    modelId: await addLocalModel(admin, local),
    allowedToolGroups: ['system'],
    allowedTools: ['list_users'],
  })
  const engine = await startTestEngine()
  const { runId } = await start({ admin, configuration: id }, 'What runs here?')
  const state = foldRun(await collect(admin, runId))
  await engine.close()
  await server.close()
  expect(state.end).toMatchObject({ reason: 'completed' })
  expect(state.start?.snapshot).toMatchObject({
    allowedToolGroups: ['system'],
    allowedTools: ['list_users'],
  })
  const answers = state.rounds[0]?.calls.map(({ name, state: ended }) =>
    ended.type === 'ended' ? [name, ended.verdict] : [name, ended.type],
  )
  const no = (words: string) => ({
    allowed: false,
    gate: 'configuration',
    reason: expect.stringContaining(words),
  })
  expect(answers).toEqual([
    ['get_env', { allowed: true }],
    ['list_users', { allowed: true }],
    ['get_runtime_info', expect.objectContaining(no('It allows the tool group accounts, and'))],
    ['list_groups', expect.objectContaining(no('did not allow this tool or its group "accounts"'))],
  ])
})

test('a site file has them, says the same on the other side, and is refused where it makes no sense', async () => {
  const id = await addConfiguration(admin, { modelId, ...two })
  const { identifier } = await formOf(admin, id)
  const exported = parseSiteFile(await exportSite(admin))
  const entry = exported.configurations.find((each) => each.identifier === identifier)
  expect(entry).toMatchObject(two)
  const only = (configuration: object) =>
    parseSiteFile(
      JSON.stringify({ toolgate: 2, configurations: [{ identifier, ...configuration }] }),
    )
  const apply = (configuration: object) => applySite(admin, only(configuration), { reason: 'x' })
  expect((await planSite(admin, only({ ...two }))).steps).toEqual([])

  const other = { allowedToolGroups: ['accounts'], allowedTools: ['fetch_logs', 'get_env'] }
  const { steps } = await apply(other)
  expect(steps).toMatchObject([
    {
      changes: [
        { field: 'allowedToolGroups', before: [], after: ['accounts'] },
        { field: 'allowedTools', before: two.allowedTools, after: other.allowedTools },
      ],
    },
  ])
  expect(await namesIn(id)).toEqual(other)
  expect((await planSite(admin, only(other))).steps).toEqual([])

  await db().configuration.delete({ where: { id } })
  await applySite(admin, { ...exported, tasks: [], schedules: [] }, { reason: 'A new site' })
  const again = await db().configuration.findUniqueOrThrow({ where: { identifier } })
  expect(await namesIn(again.id)).toEqual(two)

  const problemsOf = async (configuration: object) =>
    (await planSite(admin, only(configuration))).problems
  expect(await problemsOf({ allowedTools: ['get_envv'] })).toEqual([
    expect.stringContaining('needs the tool get_envv, which does not exist on this site.'),
  ])
  expect(await problemsOf({ allowedToolGroups: null, allowedTools: ['get_env'] })).toEqual([
    expect.stringContaining('All tool groups are allowed'),
  ])
  await apply({ allowedToolGroups: null })
  expect(await namesIn(again.id)).toEqual(every)
  expect(await problemsOf({ allowedTools: ['get_env'] })).toHaveLength(1)
})

test('in a terminal', async () => {
  const id = await addConfiguration(admin, { modelId })
  const { identifier } = await formOf(admin, id)
  const run = (...args: string[]) => toolgate(['configuration', ...args, '--json'])
  const edited = await run('edit', identifier, '--tool-groups', 'none', '--tools', 'get_env')
  expect(JSON.parse(edited.stdout)).toMatchObject({ changed: true })
  expect(await allowedBy(id)).toEqual(['get_env'])
  const tools = ['--tools', 'get_env,list_users']
  const governed = await run('govern', '--configuration', identifier, ...tools)
  expect(JSON.parse(governed.stdout)).toMatchObject(two)
  const shown = await toolgate(['configuration', 'show', identifier])
  expect(shown.stdout).toMatch(/Allowed single tools +get_env, list_users/)
  await run('govern', '--configuration', identifier, '--tool-groups', 'all')
  expect(await namesIn(id)).toEqual(every)
  const refused = await run('govern', '--configuration', identifier, '--tools', 'get_env')
  expect(refused.code).not.toBe(0)
  expect(refused.stderr + refused.stdout).toContain('All tool groups are allowed')
  expect(await gateOf(admin, id, 'get_env')).toBe('allowed')
})
