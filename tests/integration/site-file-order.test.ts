import { beforeAll, describe, expect, test } from 'vitest'
import { updateConfigurationPolicy } from '@/lib/domains/configurations/policy-verbs'
import { readEditableConfiguration } from '@/lib/domains/configurations/reads'
import { listConfigurations } from '@/lib/domains/configurations/usable'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import { setModelPrice } from '@/lib/domains/models/price-verbs'
import { attachSkill } from '@/lib/domains/skills/attachments'
import { importSkills } from '@/lib/domains/skills/import-skills'
import { parseSkill } from '@/lib/domains/skills/skill-file'
import { deleteSkill } from '@/lib/domains/skills/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { applySite } from '@/lib/site-file/apply-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite, type SiteStep } from '@/lib/site-file/plan-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { lists, skillText } from '@/tests/support/skills'
import { pasteSkill, setTaskSkills } from '@/tests/support/task-fixture'

let admin: Ctx
let member: Ctx
const reason = 'From the repository'

const parse = (text: string) => parseSiteFile(`toolgate: 1\n${text}`)
const plan = (text: string) => planSite(admin, parse(text))
const apply = (text: string, onStep?: (step: SiteStep) => Promise<void>) =>
  applySite(admin, parse(text), { reason, ...(onStep && { onStep }) })

async function stored(identifier: string) {
  const { id } = await db().configuration.findFirstOrThrow({ where: { identifier } })
  return { id, ...(await readEditableConfiguration(admin, { id })).form }
}

const isVisible = async (identifier: string) =>
  (await listConfigurations(member)).some((each) => each.identifier === identifier)

const connections = `
connections:
  - { name: Near, wire: demo, trustZone: local }
  - { name: Far, wire: demo, trustZone: external-global }
models:
  - { connection: Near, model: near }
  - { connection: Far, model: far }
`
const [near, far] = ['{ connection: Near, model: near }', '{ connection: Far, model: far }']

beforeAll(async () => {
  admin = await addPerson('admin')
  member = await addPerson('member')
  for (const name of ['alpha', 'Zebra', 'Readers']) {
    const { id } = await groupVerbs.create(admin, { name })
    if (name === 'Readers' && member.actor.userId) {
      await addGroupMember(admin, { groupId: id, userId: member.actor.userId })
    }
  }
  await apply(connections)
})

describe('what was applied has nothing left to do', () => {
  test.each([
    ['connections', connections],
    [
      'prices',
      `models:
  - connection: Near
    model: near
    prices:
      - { validFrom: 2026-06-01T00:00:00Z, inputUsd: 2, source: " a list " }
      - { validFrom: 2026-01-01, inputUsd: 1 }`,
    ],
    [
      'groups',
      `configurations: [{ identifier: grouped, name: G, model: ${near}, groups: [Zebra, alpha, Zebra] }]`,
    ],
    [
      'tool groups that are on',
      'toolGroups: [{ name: system, enabled: true, reason: never kept }]',
    ],
    [
      'tool groups without a reason',
      'toolGroups: [{ name: accounts, enabled: false, reason: "" }]',
    ],
    ['tools without a reason', 'tools: [{ name: get_env, enabled: false, reason: "" }]'],
    [
      'skills',
      'skills: [{ name: quiet, file: "---\\nname: quiet\\n---\\nHush.\\n", enabled: false }]',
    ],
    ['tasks', 'tasks: [{ identifier: hush, name: Hush, prompt: Hush, skills: [{ name: quiet }] }]'],
  ])('%s', async (_, text) => {
    await apply(text)
    expect((await plan(text)).steps).toEqual([])
  })

  test('however prices grow here', async () => {
    const { id } = await db().model.findFirstOrThrow({ where: { modelId: 'near' } })
    const prices = { input: 3, output: null, cachedInput: null, cacheWrite: null, reasoning: null }
    await setModelPrice(admin, { id, validFrom: '2026-09-01T00:00:00Z', prices })
    const says = (usd: string) => `models:
  - { connection: Near, model: near, prices: [{ validFrom: 2026-06-01, inputUsd: ${usd}, source: a list }] }`
    expect((await plan(says('2'))).steps).toEqual([])
    const { steps } = await apply(says('2.5'))
    // In dollars, as the file has them, and without the prices that stay.
    expect(steps[0]?.changes).toMatchObject([
      { field: 'prices', before: [{ inputUsd: '2.00' }], after: [{ inputUsd: '2.50' }] },
    ])
    expect(await db().modelPrice.count({ where: { modelRecordId: id } })).toBe(3)
    expect((await plan(says('2.5'))).steps).toEqual([])
  })
})

describe('a raised data class', () => {
  const says = (model: string, raise: string) =>
    `configurations: [{ identifier: raised, name: R, model: ${model}${raise} }]`
  const raise = ', raisedDataClass: secret-adjacent'

  test('that the file keeps goes along to models that are trusted less, and the plan says so', async () => {
    await apply(says(near, raise))
    const { steps } = await apply(says(far, raise))
    expect(steps[0]?.changes).toMatchObject([
      { field: 'model' },
      {
        field: 'raisedDataClass',
        after: 'secret-adjacent',
        note: 'its models have a lower trust zone, and the file raises the data class again',
      },
    ])
    expect((await stored('raised')).raisedDataClass).toBe('secret-adjacent')
    expect((await plan(says(far, raise))).steps).toEqual([])
  })

  test('that the file says nothing of ends there, and the plan says so', async () => {
    await apply(says(near, raise))
    expect((await stored('raised')).raisedDataClass).toBe('secret-adjacent')
    const { steps } = await apply(says(far, ''))
    expect(steps[0]?.changes[1]).toMatchObject({ before: 'secret-adjacent', after: null })
    expect((await stored('raised')).raisedDataClass).toBeNull()
    expect((await plan(says(far, ''))).steps).toEqual([])
  })
})

describe('what is switched off', () => {
  const off = `
connections: [{ name: Far, enabled: false }]
models: [{ connection: Near, model: near, enabled: false }]
configurations:
  - { identifier: late, name: L, model: ${near}, fallbacks: [${far}] }
`
  test('goes off after what refers to it was written', async () => {
    await apply(off)
    expect((await plan(off)).steps).toEqual([])
    const { enabled } = await db().connection.findFirstOrThrow({ where: { name: 'Far' } })
    expect(enabled).toBe(false)
  })

  test('a configuration cannot begin to use a connection or a model that stays off', async () => {
    const { problems } = await plan(off.replace('late', 'later'))
    expect(problems).toEqual([
      'The configuration later needs the model Near / near, which is switched off on this site. Switch it on first.',
      'The configuration later needs the connection Far, which is switched off on this site. Switch it on first.',
    ])
    const on = off.replaceAll('enabled: false', 'enabled: true').replace('late', 'later')
    await apply(on)
    expect((await plan(on)).steps).toEqual([])
  })
})

describe('a configuration is open only once its limits are there', () => {
  const limits = (identifier: string, more = '') => `
models: [{ connection: Near, model: ${identifier} }]
configurations:
  - identifier: ${identifier}
    name: ${identifier}
    model: { connection: Near, model: ${identifier} }
    groups: [Readers]
    fourEyes: true
    skills: [{ name: limit-${identifier} }]
    allowedToolGroups: [system, assets]
    ${more}
`
  /** Takes the skill away as soon as the model is there. */
  const applyWithout = async (identifier: string, text: string) => {
    const skillId = await pasteSkill(admin, `limit-${identifier}`, lists('get_env'))
    await expect(
      apply(text, async ({ kind }) => {
        if (kind === 'models') await deleteSkill(admin, { id: skillId })
      }),
    ).rejects.toThrow(`Stopped at the configuration ${identifier}, after 1 of 2 changes`)
    return () => pasteSkill(admin, `limit-${identifier}`, lists('get_env'))
  }

  test('when it is new', async () => {
    const text = limits('fresh')
    const bringBack = await applyWithout('fresh', text)
    expect(await stored('fresh')).toMatchObject({ fourEyes: true, groups: [], skills: [] })
    expect(await isVisible('fresh')).toBe(false)
    await bringBack()
    await apply(text)
    expect(await isVisible('fresh')).toBe(true)
  })

  test('when it is new and off', async () => {
    await applyWithout('closed', limits('closed', 'enabled: false'))
    expect(await stored('closed')).toMatchObject({ enabled: false, fourEyes: true, groups: [] })
  })

  test('when it changes: what narrows comes first, what widens last', async () => {
    await apply(`
models: [{ connection: Near, model: grows }]
configurations:
  - { identifier: grows, name: G, model: ${near}, groups: [alpha], allowedToolGroups: [system, accounts] }`)
    await db().model.deleteMany({ where: { modelId: 'grows' } })
    const text = limits('grows')
    const bringBack = await applyWithout('grows', text)
    expect(await stored('grows')).toMatchObject({
      fourEyes: true,
      groups: [],
      allowedToolGroups: ['system'],
    })
    await bringBack()
    await apply(text)
    expect(await stored('grows')).toMatchObject({
      groups: [{ name: 'Readers' }],
      allowedToolGroups: ['assets', 'system'],
      skills: [{ name: 'limit-grows', enabled: true }],
    })
    expect((await plan(text)).steps).toEqual([])
  })

  test('tools that the file switches off are off before groups open, and those that it switches on are on afterwards', async () => {
    const done: string[] = []
    const text = `
tools: [{ name: list_users, enabled: true }, { name: list_groups, enabled: false }]
toolGroups: [{ name: assets, enabled: false }, { name: accounts, enabled: true }]
configurations: [{ identifier: grows, groups: [Readers, alpha] }]
`
    await apply(text, async ({ key }) => void done.push(key))
    expect(done).toEqual(['assets', 'list_groups', 'accounts', 'list_users', 'grows'])
  })

  test('in one version for all of its skills, never with one that is listed as off', async () => {
    const names = Array.from({ length: 21 }, (_, index) => `s${index}`)
    const files = names.map((name) => parseSkill(Buffer.from(skillText(name))))
    await importSkills(admin, { source: 'paste', files, confirmed: null })
    const says = (used: string[], off: string) =>
      `configurations: [{ identifier: grows, skills: [${used.map((name) => `{ name: ${name}, enabled: ${name !== off} }`)}] }]`
    await apply(says(names.slice(0, 20), ''))
    const { id } = await stored('grows')
    const before = await readEditableConfiguration(admin, { id })
    const other = names.slice(1).reverse()
    await apply(says(other, 's20'))
    const after = await readEditableConfiguration(admin, { id })
    expect(after.version).toBe(before.version + 1)
    expect(after.form.skills.map(({ name }) => name)).toEqual(other)
    expect(after.form.skills[0]).toMatchObject({ name: 's20', enabled: false })
    expect((await plan(says(other, 's20'))).steps).toEqual([])
  })
})

test('a skill is attached as off in one step', async () => {
  const skillId = await pasteSkill(admin, 'not-yet')
  const { id: configurationId, skills } = await stored('late')
  const { version } = await readEditableConfiguration(admin, { id: configurationId })
  const { changed } = await attachSkill(admin, { configurationId, skillId, enabled: false })
  expect(changed).toBe(true)
  const now = await readEditableConfiguration(admin, { id: configurationId })
  expect(now.version).toBe(version + 1)
  expect(now.form.skills).toEqual([...skills, { id: skillId, name: 'not-yet', enabled: false }])
})

describe('what somebody else changes meanwhile stays', () => {
  test('of a task', async () => {
    const limit = await pasteSkill(admin, 'added-meanwhile', lists('get_env'))
    const task = (prompt: string) =>
      `tasks: [{ identifier: busy, name: Busy, prompt: ${prompt}, skills: [] }]`
    await apply(task('One'))
    const { id: taskId } = await db().task.findFirstOrThrow({ where: { identifier: 'busy' } })
    const first = 'skills: [{ name: first, file: "---\\nname: first\\n---\\nFirst.\\n" }]\n'
    await apply(first + task('Two'), async ({ kind }) => {
      if (kind === 'skills') await setTaskSkills(admin, taskId, [{ id: limit }])
    })
    const row = await db().task.findFirstOrThrow({
      where: { id: taskId },
      include: { skills: true },
    })
    expect(row.prompt).toBe('Two')
    expect(row.skills.map(({ skillId }) => skillId)).toEqual([limit])
  })

  test('of a configuration', async () => {
    const { id } = await stored('late')
    const second = 'skills: [{ name: second, file: "---\\nname: second\\n---\\nSecond.\\n" }]\n'
    const text = `${second}configurations: [{ identifier: late, fourEyes: false, description: New }]`
    await apply(text, async ({ kind }) => {
      if (kind === 'skills') await updateConfigurationPolicy(admin, { id, fourEyes: true })
    })
    expect(await stored('late')).toMatchObject({ description: 'New', fourEyes: true })
  })
})
