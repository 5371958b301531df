import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { TriedRule } from '@/lib/domains/approvals/shape'
import { updateConfigurationPolicy } from '@/lib/domains/configurations/policy-verbs'
import { findConfiguration } from '@/lib/domains/configurations/reads'
import { updateConfiguration } from '@/lib/domains/configurations/verbs'
import { addGroupMember, groupVerbs, removeGroupMember } from '@/lib/domains/groups/verbs'
import { Prisma } from '@/lib/generated/prisma/client'
import { limitApiKey, limitGroup } from '@/lib/joined-verbs'
import { readReplay } from '@/lib/runs/replay/read-replay'
import { portionsOf } from '@/lib/runs/replay/stored-runs'
import type { PolicyTrial } from '@/lib/runs/replay/trial-shape'
import { runTrial, TrialInput } from '@/lib/runs/replay/try-policy'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { draftOf } from '@/lib/site-file/policy-draft'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { limitTool, setApproval, switchTool, switchToolGroup } from '@/lib/toolset/tools/tool-verbs'
import { apiKeyOf, apiRoute, ask, askApi } from '@/tests/support/api-client'
import { append, approvalSiteOfFile } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'
import { toolgate } from '@/tests/support/toolgate-process'

const site = approvalSiteOfFile()
const look = '[[call list_groups {}]]'
/** The runs of this file by what they are. */
const runs = new Map<string, string>()
let configuration = ''

async function record(kind: string, prompt: string, ctx = site.admin) {
  const { runId } = await start({ ...site, admin: ctx }, prompt)
  await collect(site.admin, runId)
  runs.set(kind, runId)
}

beforeAll(async () => {
  configuration = (await findConfiguration(site.admin, site.configuration)).id
  await record('an answer', '[[say: Hello.]]')
  await record('reads', `${look} [[then]] ${look} [[then]] [[say: Done.]]`)
  await record('a write', append('one'))
})

/** Tries a draft over the runs of this file. */
async function tried(draft: object): Promise<PolicyTrial> {
  return runTrial(site.admin, TrialInput.parse({ draft, configuration }))
}

/** Returns which runs of this file a trial or today's policy changes, by what they are. */
function kinds(ids: readonly string[]): string[] {
  return [...runs].flatMap(([kind, id]) => (ids.includes(id) ? [kind] : [])).toSorted()
}

async function changedToday(): Promise<string[]> {
  const changed: string[] = []
  for (const id of runs.values())
    if ((await readReplay(site.admin, id)).result === 'different') changed.push(id)
  return kinds(changed)
}

type Change = {
  draft: () => object | Promise<object>
  apply: () => Promise<unknown>
  undo: () => Promise<unknown>
  changes: string[]
}
const reason = 'Too much data'
const permit = (policy: Omit<Parameters<typeof updateConfigurationPolicy>[1], 'id'>) =>
  updateConfigurationPolicy(site.admin, { id: configuration, reason, ...policy })
const rounds = async (maxRounds: number) => {
  const { version } = await db().configuration.findUniqueOrThrow({ where: { id: configuration } })
  await updateConfiguration(site.admin, { id: configuration, version, maxRounds })
}
const groupOf = async (name: string) => (await loadToolset(db())).get(name)?.group ?? ''
const asked = () => TriedRule.parse({ name: 'No writes', toolName: 'append_line', action: 'deny' })

const changes: Record<string, Change> = {
  'a tool switched off': {
    draft: () => ({ tools: [{ name: 'list_groups', enabled: false }] }),
    apply: () => switchTool(site.admin, { name: 'list_groups', enabled: false, reason }),
    undo: () => switchTool(site.admin, { name: 'list_groups', enabled: true, reason }),
    changes: ['reads'],
  },
  'a group of tools switched off': {
    draft: async () => ({ toolGroups: [{ name: await groupOf('list_groups'), enabled: false }] }),
    apply: async () =>
      switchToolGroup(site.admin, { name: await groupOf('list_groups'), enabled: false, reason }),
    undo: async () =>
      switchToolGroup(site.admin, { name: await groupOf('list_groups'), enabled: true, reason }),
    changes: ['reads'],
  },
  'a limit of calls in one run': {
    draft: () => ({ toolLimits: [{ name: 'list_groups', perRun: 1 }] }),
    apply: () => limitTool(site.admin, { name: 'list_groups', perRun: 1 }),
    undo: () => limitTool(site.admin, { name: 'list_groups', perRun: null }),
    changes: ['reads'],
  },
  'a limit of calls in a minute, for all runs': {
    draft: () => ({ toolLimits: [{ name: 'append_line', perMinute: 1 }] }),
    apply: () => limitTool(site.admin, { name: 'append_line', perMinute: 1 }),
    undo: () => limitTool(site.admin, { name: 'append_line', perMinute: null }),
    changes: ['another write'],
  },
  'calls of a tool that wait for approval': {
    draft: () => ({ toolApprovals: [{ name: 'append_line', asks: true }] }),
    apply: () => setApproval(site.admin, { name: 'append_line', asks: true, reason }),
    undo: () => setApproval(site.admin, { name: 'append_line', asks: false, reason }),
    changes: ['a write', 'another write'],
  },
  'tools that the configuration allows': {
    draft: async () => ({
      configurations: [{ id: configuration, allowedToolGroups: [await groupOf('list_groups')] }],
    }),
    apply: async () => permit({ allowedToolGroups: [await groupOf('list_groups')] }),
    undo: () => permit({ allowedToolGroups: null }),
    changes: ['a write', 'another write'],
  },
  'fewer rounds': {
    draft: () => ({ configurations: [{ id: configuration, maxRounds: 1 }] }),
    apply: () => rounds(1),
    undo: () => rounds(5),
    changes: ['a write', 'another write', 'reads'],
  },
  'a configuration that is off': {
    draft: () => ({ configurations: [{ id: configuration, enabled: false }] }),
    apply: () => permit({ enabled: false }),
    undo: () => permit({ enabled: true }),
    changes: ['a write', 'an answer', 'another write', 'reads'],
  },
  'a new rule': {
    draft: () => ({ rules: [{ id: 'draft', rule: ruleOf() }] }),
    apply: () => site.addRule({ name: 'No writes', action: 'deny' }),
    undo: () => site.removeRules(),
    changes: ['a write', 'another write'],
  },
}

function ruleOf() {
  const { enabled: _enabled, notYet: _notYet, ...rule } = asked()
  return rule
}

test.for(Object.entries(changes))(
  '%s: a draft changes the runs that the change then changes',
  async ([_kind, { draft, apply, undo, changes }]) => {
    if (!runs.has('another write')) await record('another write', append('two'))
    const before = await tried(await draft())
    expect(before).toMatchObject({ found: runs.size, replayed: runs.size, changedToday: 0 })
    expect(before.baseline).toBe(0)
    expect(kinds(before.runs.map(({ runId }) => runId))).toEqual(changes)
    await apply()
    try {
      expect(await changedToday()).toEqual(changes)
      // With the change stored, the draft changes nothing more.
      const after = await tried(await draft())
      expect(after).toMatchObject({ changed: 0, changedToday: changes.length })
    } finally {
      await undo()
    }
  },
)

test('a limit of a group of people, for its members alone; a rule that only observes is noted', async () => {
  const member = await addPerson('member')
  const name = 'Readers'
  const { id } = await groupVerbs.create(site.admin, { name })
  await db().groupMember.create({ data: { groupId: id, userId: member.actor.userId } })
  await db().configurationGroup.create({ data: { configurationId: configuration, groupId: id } })
  await record('a member', '[[call current_time {}]] [[then]] [[say: Done.]]', member)
  const limits = { tools: [], toolGroups: null }
  const limited = await tried({ groups: [{ id, limits }] })
  expect(kinds(limited.runs.map(({ runId }) => runId))).toEqual(['a member'])
  await limitGroup(site.admin, { id, ...limits, reason })
  expect(await changedToday()).toEqual(['a member'])
  const lifted = await tried({ groups: [{ id, limits: null }] })
  expect(lifted).toMatchObject({ changed: 1, changedToday: 1 })

  const rule = { ...ruleOf(), name: 'Watch', action: 'observe' as const }
  const { runs: noted, ...counts } = await tried({ rules: [{ id: 'draft', rule }] })
  expect(counts).toMatchObject({ changed: 0, noted: 2 })
  expect(kinds(noted.map(({ runId }) => runId))).toEqual(['a write', 'another write'])
  expect(noted[0]?.draft).toContain('The rule "Watch", which only observes, matches a call')
})

test('groups that a person joins and leaves, as it then comes', async () => {
  const { id: readers } = await db().group.update({
    where: { name: 'Readers' },
    data: { limits: Prisma.DbNull },
  })
  const { userId } = await db().groupMember.findFirstOrThrow({ where: { groupId: readers } })
  const { id: strict } = await groupVerbs.create(site.admin, { name: 'Strict' })
  await limitGroup(site.admin, { id: strict, tools: [], reason })
  expect(await changedToday()).toEqual([])
  const member = { groupId: strict, userId }
  for (const [change, apply, undo] of [
    [{ joins: [strict] }, addGroupMember, removeGroupMember],
    [{ leaves: [readers] }, removeGroupMember, addGroupMember],
  ] as const) {
    const key = 'joins' in change ? member : { groupId: readers, userId }
    const trial = await tried({ people: [{ id: userId, ...change }] })
    expect(kinds(trial.runs.map(({ runId }) => runId))).toEqual(['a member'])
    await apply(site.admin, key)
    expect(await changedToday()).toEqual(['a member'])
    expect(await tried({ people: [{ id: userId, ...change }] })).toMatchObject({ changed: 0 })
    await undo(site.admin, key)
  }
  expect(await tried({ people: [{ id: userId, joins: [readers] }] })).toMatchObject({ changed: 0 })
  for (const person of [
    { id: strict, joins: [readers] },
    { id: userId, leaves: [userId] },
  ])
    await expect(tried({ people: [person] })).rejects.toThrow('does not exist')
})

test('admins alone, one at a time, with progress, and stopped', async () => {
  const member = await addPerson('member')
  const input = TrialInput.parse({ draft: {}, configuration })
  await expect(runTrial(member, input)).rejects.toThrow(/admin/i)
  const seen: number[] = []
  const trial = runTrial(site.admin, input, { onProgress: (replayed) => seen.push(replayed) })
  await expect(runTrial(site.admin, input)).rejects.toThrow('Another change is being tested.')
  expect(await trial).toMatchObject({ changed: 0 })
  expect(seen).toEqual([0])
  const stopped = runTrial(site.admin, input, { signal: AbortSignal.abort(new Error('Stopped.')) })
  await expect(stopped).rejects.toThrow('Stopped.')
})

test('a part of a site file is a draft; a field that decides about no past run is refused by name', async () => {
  const file = (text: string) => draftOf(site.admin, parseSiteFile(`toolgate: 2\n${text}`))
  expect(await file('tools: [{ name: list_groups, enabled: false }]')).toMatchObject({
    tools: [{ name: 'list_groups', enabled: false }],
    rules: [],
  })
  const rule = '{ name: Ask, toolName: append_line, action: ask, personGroup: Readers }'
  const { rules } = await file(`approvalRules: [${rule}]`)
  expect(rules).toMatchObject([{ rule: { toolName: 'append_line', action: 'ask' } }])
  expect(rules[0]?.rule?.groupId).toMatch(/^[0-9a-f-]{36}$/)
  const { identifier } = await db().configuration.findUniqueOrThrow({
    where: { id: configuration },
  })
  expect(
    await file(`configurations: [{ identifier: ${identifier}, maxRounds: 2, costCapUsd: "0.01" }]`),
  ).toMatchObject({
    configurations: [{ id: configuration, maxRounds: 2, costCapMicroUsd: 10_000 }],
  })
  for (const [text, words] of [
    [`configurations: [{ identifier: ${identifier}, systemPrompt: Be kind. }]`, 'systemPrompt'],
    ['groups: [{ name: A new one }]', 'groups, A new one'],
    ['tools: [{ name: no_such_tool, enabled: false }]', 'no_such_tool'],
  ])
    await expect(file(text ?? '')).rejects.toThrow(words)
})

test('over the API and in a shell, which answers by its exit code', async () => {
  const draft = { tools: [{ name: 'list_groups', enabled: false }] }
  const route = apiRoute('/policy/try')
  const scopes = ['runs:read', 'tools:read', 'approval-rules:read', 'configurations:read'] as const
  const key = await apiKeyOf(site.admin, ...scopes)
  const answer = await ask(route.POST, 'POST', '/', { key, json: { draft, configuration } })
  expect(await answer.json()).toMatchObject({ changed: 1, baseline: 0 })
  const less = await apiKeyOf(site.admin, 'runs:read')
  expect((await ask(route.POST, 'POST', '/', { key: less, json: { draft } })).status).toBe(403)

  const text = 'toolgate: 2\ntools: [{ name: list_groups, enabled: false }]\n'
  const path = join(await mkdtemp(join(tmpdir(), 'draft-')), 'change.yaml')
  await writeFile(path, text)
  const some = await toolgate(['policy', 'try', '-f', path, '--configuration', configuration])
  expect(some.code).toBe(3)
  expect(some.stdout).toContain('1 of 5 runs of the last 30 days would have gone otherwise.')
  const plan = await toolgate(['apply', '-f', path, '--plan'])
  expect(plan.code).toBe(2)
  expect(plan.stdout).toMatch(/Would have changed \d+ of \d+ runs of 30 days\./)
  await writeFile(path, 'toolgate: 2\ntools: [{ name: current_time, enabled: true }]\n')
  const none = await toolgate([
    'policy',
    'try',
    '-f',
    path,
    '--configuration',
    configuration,
    '--json',
  ])
  expect([none.code, JSON.parse(none.stdout)]).toMatchObject([0, { changed: 0 }])
})

test('a journal and the answers of providers count together, and are read in portions', async () => {
  const runId = runs.get('an answer') ?? ''
  const content = 'x'.repeat(1.5 * 1024 * 1024)
  for (const round of [101, 102])
    await db().nativeAnswer.create({ data: { runId, round, content } })
  const why = 'Its journal is too long to replay.'
  const after = await tried({})
  expect(after.unreplayable).toEqual([{ why, count: 1 }])
  expect(after.replayed).toBe(after.found - 1)
  await db().nativeAnswer.deleteMany({ where: { runId, round: { gt: 100 } } })
  expect(await tried({})).toMatchObject({ unreplayable: [], replayed: after.found })

  const sizes = new Map([...'abcde'].map((id, place) => [id, [40, 50, 30, 200, 70][place] ?? 0]))
  const portions = portionsOf([...'abcdef'], { sizes, mostBytes: 100 })
  expect(portions.map((ids) => ids.join(''))).toEqual(['ab', 'cdef'])
})

test('a field that a draft does not know is refused by name', async () => {
  await expect(tried({ budgets: [] })).rejects.toThrow(/budgets/)
  await expect(
    tried({ tools: [{ name: 'list_groups', enabled: false, asks: true }] }),
  ).rejects.toThrow(/asks/)
})

test('what could not be stored is refused in a draft, too', async () => {
  const unknown = '0190a000-0000-7000-8000-000000000001'
  const rule = { ...ruleOf(), conditions: [{ path: '$.text', operator: 'matches', value: '(' }] }
  for (const [draft, field] of [
    [{ tools: [{ name: 'list_group', enabled: false }] }, 'draft.tools.0.name'],
    [{ toolGroups: [{ name: '__proto__', enabled: false }] }, 'draft.toolGroups.0.name'],
    [{ configurations: [{ id: unknown, maxRounds: 1 }] }, 'draft.configurations'],
    [{ groups: [{ id: unknown, limits: null }] }, 'draft.groups'],
    [{ rules: [{ id: 'draft', rule }] }, 'draft.rules.0.rule.conditions.0.value'],
    [
      {
        tools: [
          { name: 'list_groups', enabled: false },
          { name: 'list_groups', enabled: true },
        ],
      },
      'draft.tools',
    ],
  ] as const)
    await expect(tried(draft)).rejects.toMatchObject({
      fields: { [field]: expect.stringMatching(/./) },
    })
  const many = Array.from({ length: 11 }, () => rule.conditions[0])
  await expect(
    tried({ rules: [{ id: 'draft', rule: { ...rule, conditions: many } }] }),
  ).rejects.toThrow(/At most 10 conditions/)
})

test('a limited key tries a draft on the runs within its limits', async () => {
  const scopes = ['runs:read', 'tools:read', 'approval-rules:read', 'configurations:read'] as const
  const key = await apiKeyOf(site.admin, ...scopes)
  const { id } = await db().apiKey.findFirstOrThrow({ where: { prefix: key.slice(0, 9) } })
  const json = { draft: { tools: [{ name: 'list_groups', enabled: false }] }, configuration }
  const limitTo = async (limits: object) => {
    await limitApiKey(site.admin, { id, ...limits })
    return (await askApi('POST', '/policy/try', { key, json })).json()
  }
  expect(await limitTo({ configurations: [configuration] })).toMatchObject({ changed: 1 })
  expect(await limitTo({ configurations: [] })).toMatchObject({ found: 0, runs: [] })
  expect(await limitTo({ configurations: null, tools: ['current_time'] })).toMatchObject({
    found: 0,
    runs: [],
  })
})
