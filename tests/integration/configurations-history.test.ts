import { beforeAll, describe, expect, test } from 'vitest'
import { allowGroup, updateConfigurationPolicy } from '@/lib/domains/configurations/policy-verbs'
import {
  readConfigurationUses,
  readGovernedConfiguration,
} from '@/lib/domains/configurations/reads'
import {
  cloneConfiguration,
  deleteConfiguration,
  updateConfiguration,
} from '@/lib/domains/configurations/verbs'
import {
  listConfigurationVersions,
  restoreConfigurationVersion,
} from '@/lib/domains/configurations/version-verbs'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import { attachSkill } from '@/lib/domains/skills/attachments'
import { importSkills } from '@/lib/domains/skills/import-skills'
import { findSkill } from '@/lib/domains/skills/reads'
import { readSkillFiles } from '@/lib/domains/skills/skill-archive'
import { editConfiguration, governConfiguration } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  StaleError,
  ValidationError,
} from '@/lib/kernel/errors'
import { startTestRun } from '@/lib/runs/start/start-test-run'
import { policyEffect } from '@/lib/toolset/policy/policy-effect'
import {
  addConfiguration,
  addModel,
  edit,
  formOf,
  gateOf,
  tag,
  versionsOf,
} from '@/tests/support/configuration-fixture'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { skillText } from '@/tests/support/skills'

let admin: Ctx
let member: Ctx

beforeAll(async () => {
  admin = await addPerson('admin')
  member = await addPerson('member')
})

describe('a change', () => {
  test('is kept as a version, whoever makes it and whatever it is of', async () => {
    const id = await addConfiguration(admin, { systemPrompt: 'Be brief.' })
    const group = await groupVerbs.create(admin, { name: `Readers ${tag()}` })
    const name = `skill-${tag()}`
    const files = await readSkillFiles(Buffer.from(skillText(name)))
    await importSkills(admin, { source: 'paste', files, confirmed: null })
    const { id: skillId } = await findSkill(admin, name)

    expect(await edit(admin, id, { temperature: 0.2, note: 'Calmer' })).toEqual({
      id,
      version: 2,
      changed: true,
    })
    expect(await edit(admin, id, { temperature: 0.2 })).toEqual({ id, version: 2, changed: false })
    await updateConfigurationPolicy(admin, { id, fourEyes: true })
    await allowGroup(admin, { configurationId: id, groupId: group.id, allowed: true })
    await attachSkill(admin, { configurationId: id, skillId })
    await groupVerbs.remove(admin, { id: group.id })
    expect(await versionsOf(admin, id)).toMatchObject([
      { version: 6, note: expect.stringMatching('was deleted'), form: { groups: [] } },
      { version: 5, form: { skills: [{ id: skillId, name, enabled: true }] } },
      { version: 4, form: { groups: [{ id: group.id }] } },
      { version: 3, form: { fourEyes: true } },
      { version: 2, note: 'Calmer', form: { temperature: 0.2, systemPrompt: 'Be brief.' } },
      { version: 1, form: { temperature: null, fourEyes: false } },
    ])
    const entry = await db().auditEntry.findFirstOrThrow({
      where: { action: 'configuration.update', objectId: id },
    })
    expect(entry).toMatchObject({
      before: { temperature: null },
      after: { temperature: 0.2 },
      reason: 'Calmer',
    })
    expect(entry.after).not.toHaveProperty('systemPrompt')
  })

  test('keeps what was before it where no history was kept', async () => {
    const id = await addConfiguration(admin, { maxRounds: 7 })
    await db().configurationVersion.deleteMany({ where: { configurationId: id } })
    await edit(admin, id, { maxRounds: 9 })
    expect(await versionsOf(admin, id)).toMatchObject([
      { version: 2, form: { maxRounds: 9 } },
      { version: 1, form: { maxRounds: 7 }, note: expect.stringMatching('before the history') },
    ])
  })

  test('of what was changed meanwhile is refused with what that was; two at once never both win', async () => {
    const id = await addConfiguration(admin)
    await edit(admin, id, { maxRounds: 9 })
    const stale = updateConfiguration(admin, { id, version: 1, description: 'Mine' })
    await expect(stale).rejects.toThrow(StaleError)
    await expect(stale).rejects.toThrow(
      /version 2, and you opened version 1\..* Changed: Maximum rounds\./,
    )
    expect((await formOf(admin, id)).description).toBe('')
    const both = await Promise.allSettled(
      ['One', 'Two'].map((description) =>
        updateConfiguration(admin, { id, version: 2, description }),
      ),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await versionsOf(admin, id)).map(({ version }) => version)).toEqual([3, 2, 1])
  })

  test('of the chain changes what its runs may be offered, and says so before', async () => {
    const [near, far] = [await addModel(admin, 'private'), await addModel(admin, 'external-global')]
    const id = await addConfiguration(admin, { modelId: near })
    expect(await gateOf(admin, id, 'get_runtime_info')).toBe('allowed')
    const wanted = { modelIds: [near, far], allowedToolGroups: null }
    const effect = await policyEffect(admin, { id, ...wanted })
    expect(effect).toMatchObject({
      before: { zone: 'private', limit: 'diagnostics' },
      after: { zone: 'external-global', limit: 'content' },
      opens: [],
      raiseLost: null,
    })
    expect(effect?.closes).toContain('get_runtime_info')
    expect(effect).toMatchObject({ usable: 13, offered: 4 })
    await edit(admin, id, { fallbackModelIds: [far] })
    expect(await gateOf(admin, id, 'get_runtime_info')).toBe('trust-zone')
    const back = await policyEffect(admin, { id, ...wanted, modelIds: [near] })
    expect(back?.opens).toEqual(effect?.closes)
    expect(back).toMatchObject({ usable: 13, offered: 13 })
    expect(await policyEffect(admin, { id, ...wanted, modelIds: [] })).toBeNull()

    const twice = edit(admin, id, { modelId: far })
    expect(await refusedFields(twice)).toHaveProperty('fallbackModelIds')
    await edit(admin, id, { modelId: far, fallbackModelIds: [near] })
    expect((await formOf(admin, id)).fallbacks).toMatchObject([{ id: near }])
    await db().model.update({ where: { id: near }, data: { enabled: false } })
    await expect(edit(admin, id, { fallbackModelIds: [near], maxRounds: 3 })).resolves.toBeDefined()
  })

  test('that adds a provider trusted less takes a raised data class back', async () => {
    const [near, far] = [
      await addModel(admin, 'external-eu'),
      await addModel(admin, 'external-global'),
    ]
    const id = await addConfiguration(admin, { modelId: near })
    const raise = { raisedDataClass: 'secret-adjacent' as const, reason: 'Contract' }
    await updateConfigurationPolicy(admin, { id, ...raise })
    const wanted = { modelIds: [near, far], allowedToolGroups: null }
    expect(await policyEffect(admin, { id, ...wanted })).toMatchObject({
      raiseLost: 'secret-adjacent',
    })
    await edit(admin, id, { description: 'The raise stays' })
    expect((await formOf(admin, id)).raisedDataClass).toBe('secret-adjacent')
    await edit(admin, id, { fallbackModelIds: [far] })
    expect((await formOf(admin, id)).raisedDataClass).toBeNull()
  })

  test('of policy is audited, needs reasons where others lose, and knows the tool groups', async () => {
    const id = await addConfiguration(admin)
    expect(await gateOf(admin, id, 'get_runtime_info')).toBe('trust-zone')
    const raise = { raisedDataClass: 'secret-adjacent' as const }
    await expect(governConfiguration(admin, { id, ...raise })).rejects.toThrow(ValidationError)
    expect(await governConfiguration(admin, { id, ...raise, reason: 'Contract' })).toBe(true)
    expect(await governConfiguration(admin, { id, ...raise, reason: 'Again' })).toBe(false)
    expect(await gateOf(admin, id, 'get_runtime_info')).toBe('allowed')
    const accounts = { allowedToolGroups: ['accounts', 'accounts'] }
    await governConfiguration(admin, { id, ...accounts, fourEyes: true })
    expect(await gateOf(admin, id, 'get_runtime_info')).toBe('configuration')
    expect(await gateOf(admin, id, 'list_users')).toBe('allowed')
    const misspelt = { allowedToolGroups: ['acounts'] }
    for (const refused of [
      () => governConfiguration(admin, { id, ...misspelt }),
      () => editConfiguration(admin, { id, ...misspelt, version: 3 }),
    ]) {
      await expect(refused()).rejects.toThrow('There is no tool group "acounts".')
    }
    for (const change of [{ enabled: false }, { fourEyes: false }]) {
      await expect(updateConfigurationPolicy(admin, { id, ...change })).rejects.toThrow(
        ValidationError,
      )
    }
    await governConfiguration(admin, { id, allowedToolGroups: null, raisedDataClass: null })
    expect(await gateOf(admin, id, 'get_runtime_info')).toBe('trust-zone')
    const entries = await db().auditEntry.findMany({
      where: { action: 'configuration.update-policy', objectId: id },
      orderBy: { id: 'asc' },
    })
    expect(entries).toMatchObject([
      { before: { raisedDataClass: null }, after: raise, reason: 'Contract' },
      { before: { fourEyes: false, allowedToolGroups: null }, after: { fourEyes: true } },
      { before: { allowedToolGroups: ['accounts'] }, after: { allowedToolGroups: null } },
    ])
    expect(entries[1]?.after).not.toHaveProperty('raisedDataClass')
  })

  test('is for admins, and for configurations that are there', async () => {
    const id = await addConfiguration(admin)
    const nowhere = '019a0000-0000-7000-8000-000000000001'
    const copy = { identifier: 'copy', name: 'Copy' }
    const verbs: ((ctx: Ctx, which: string) => Promise<unknown>)[] = [
      (ctx, which) => updateConfiguration(ctx, { id: which, version: 1 }),
      (ctx, which) => updateConfigurationPolicy(ctx, { id: which }),
      (ctx, which) => restoreConfigurationVersion(ctx, { id: which, restored: 1, version: 1 }),
      (ctx, which) => cloneConfiguration(ctx, { id: which, ...copy }),
      (ctx, which) => deleteConfiguration(ctx, { id: which }),
      (ctx, which) => readGovernedConfiguration(ctx, which),
      (ctx, which) => startTestRun(ctx, { id: which }),
    ]
    for (const verb of verbs) {
      await expect(verb(member, id)).rejects.toThrow(ForbiddenError)
      await expect(verb(admin, nowhere)).rejects.toThrow(NotFoundError)
    }
    for (const refused of [
      () => governConfiguration(member, { id }),
      () => readConfigurationUses(member, id),
      () => listConfigurationVersions(member, id),
      () => policyEffect(member, { id, modelIds: [], allowedToolGroups: null }),
    ]) {
      await expect(refused()).rejects.toThrow(ForbiddenError)
    }
  })
})

test('an old version comes back as a new one, unless something of it is gone', async () => {
  const [old, now] = [
    await addModel(admin, 'private', `old-${tag()}`),
    await addModel(admin, 'private'),
  ]
  const group = await groupVerbs.create(admin, { name: `Old ${tag()}` })
  const id = await addConfiguration(admin, {
    modelId: old,
    groupIds: [group.id],
    systemPrompt: 'First.',
  })
  await edit(admin, id, { modelId: now, groupIds: [], systemPrompt: 'Second.' })
  await updateConfigurationPolicy(admin, { id, enabled: false, reason: 'A while' })
  const restore = (restored: number, version: number) =>
    restoreConfigurationVersion(admin, { id, restored, version, note: 'It was better.' })
  await expect(restore(1, 2)).rejects.toThrow(StaleError)
  await expect(restore(9, 3)).rejects.toThrow(NotFoundError)
  expect(await restore(1, 3)).toEqual({ id, version: 4, changed: true })
  expect((await versionsOf(admin, id))[0]).toMatchObject({
    version: 4,
    note: 'Version 1 was restored. It was better.',
    form: {
      model: { id: old },
      groups: [{ id: group.id }],
      systemPrompt: 'First.',
      enabled: false,
    },
  })
  await expect(restore(4, 4)).rejects.toThrow(ConflictError)
  await edit(admin, id, { modelId: now, groupIds: [] })
  await db().model.delete({ where: { id: old } })
  await groupVerbs.remove(admin, { id: group.id })
  await expect(restore(4, 5)).rejects.toThrow(
    /the model Model old-.*, the group Old .* no longer exist\./,
  )
  expect((await formOf(admin, id)).model.id).toBe(now)
})

test('a clone is like its original, open to nobody and raised to nothing', async () => {
  const group = await groupVerbs.create(admin, { name: tag() })
  const fallbackModelIds = [await addModel(admin), await addModel(admin)]
  const id = await addConfiguration(admin, {
    groupIds: [group.id],
    fallbackModelIds,
    stop: ['END'],
    maxRounds: 9,
  })
  await updateConfigurationPolicy(admin, { id, raisedDataClass: 'diagnostics', reason: 'So' })
  const identifier = `copy-${tag()}`
  const copy = await cloneConfiguration(admin, { id, identifier, name: 'Copy' })
  const original = await formOf(admin, id)
  expect(await formOf(admin, copy.id)).toEqual({
    ...original,
    identifier,
    name: 'Copy',
    groups: [],
    raisedDataClass: null,
  })
  expect(await versionsOf(admin, copy.id)).toMatchObject([
    { version: 1, note: `A copy of ${original.identifier}, version 2.` },
  ])
  const again = cloneConfiguration(admin, { id, identifier, name: 'Copy' })
  await expect(again).rejects.toThrow(ConflictError)
})
