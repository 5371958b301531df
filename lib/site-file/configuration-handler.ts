import { createConfiguration } from '../configurations/create-configuration'
import { findConfiguration } from '../configurations/find-configuration'
import { readEditableConfiguration } from '../configurations/read-editable-configuration'
import { updateConfiguration } from '../configurations/update-configuration'
import { updateConfigurationPolicy } from '../configurations/update-configuration-policy'
import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { ValidationError } from '../errors'
import { findGroup } from '../groups/find-group'
import type { ConfigurationForm, NamedModel } from '../protocol/configuration-form'
import { followSkills } from './follow-skills'
import type { Handler } from './handler'
import { findModelId } from './model-handler'
import { pick } from './pick'
import type { EntryOf, GivenOf } from './site-file'

const facts = [
  'name',
  'description',
  'systemPrompt',
  'temperature',
  'topP',
  'maxOutputTokens',
  'stop',
  'seed',
  'reasoningEffort',
  'toolMode',
  'maxRounds',
  'timeLimitMs',
  'costCapMode',
  'allowedToolGroups',
] as const
const policy = ['raisedDataClass', 'fourEyes', 'enabled'] as const

/** Configurations with what they refer to by name. */
export const configurationHandler: Handler<'configurations'> = {
  read: async (ctx) => {
    requireRole(ctx, 'admin')
    const rows = await db().configuration.findMany({
      select: { id: true },
      orderBy: { identifier: 'asc' },
    })
    const entries: EntryOf<'configurations'>[] = []
    for (const { id } of rows) {
      const [{ form }, modelIds] = [
        await readEditableConfiguration(ctx, id),
        await readModelIds(id),
      ]
      entries.push(toEntry(form, modelIds))
    }
    return entries
  },
  create: async (ctx, given, reason) => {
    if (!given.name || !given.model) {
      throw new ValidationError({ name: 'A new configuration needs its name and its model.' })
    }
    const { id } = await createConfiguration(ctx, {
      ...pick(given, facts),
      ...(await referred(ctx, given)),
      name: given.name,
      modelId: await findModelId(given.model.connection, given.model.model),
      identifier: given.identifier,
      note: reason,
    })
    await updateConfigurationPolicy(ctx, id, { ...pick(given, policy), reason })
    if (given.skills) await followSkills(ctx, id, given.skills)
  },
  update: async (ctx, { given, changed }, reason) => {
    const { id } = await findConfiguration(ctx, given.identifier)
    const fields = new Set<string>(changed)
    const wanted = {
      ...pick(
        given,
        facts.filter((field) => fields.has(field)),
      ),
      ...(await referred(ctx, only(given, fields))),
    }
    if (Object.keys(wanted).length > 0) {
      const { version } = await readEditableConfiguration(ctx, id)
      await updateConfiguration(ctx, id, { ...wanted, version, note: reason })
    }
    const rules = pick(
      given,
      policy.filter((field) => fields.has(field)),
    )
    if (Object.keys(rules).length > 0)
      await updateConfigurationPolicy(ctx, id, { ...rules, reason })
    if (given.skills && fields.has('skills')) await followSkills(ctx, id, given.skills)
  },
}

type Given = GivenOf<'configurations'>

function only(given: Given, fields: ReadonlySet<string>): Given {
  const entries = Object.entries(given).filter(([field]) => fields.has(field))
  return { ...Object.fromEntries(entries), identifier: given.identifier }
}

/** What a file says by name, by id. */
async function referred(ctx: Ctx, { model, fallbacks, groups, costCapUsd }: Given) {
  const idOf = ({ connection, model: modelId }: { connection: string; model: string }) =>
    findModelId(connection, modelId)
  return {
    ...(model && { modelId: await idOf(model) }),
    ...(fallbacks && { fallbackModelIds: await Promise.all(fallbacks.map(idOf)) }),
    ...(groups && {
      groupIds: (await Promise.all(groups.map((name) => findGroup(ctx, name)))).map(({ id }) => id),
    }),
    ...(costCapUsd !== undefined && { costCapMicroUsd: costCapUsd }),
  }
}

function toEntry(
  form: ConfigurationForm,
  modelIds: ReadonlyMap<string, string>,
): EntryOf<'configurations'> {
  const nameOf = ({ id, connection }: NamedModel) => ({ connection, model: modelIds.get(id) ?? '' })
  return {
    identifier: form.identifier,
    ...pick(form, ['name', 'description']),
    model: nameOf(form.model),
    fallbacks: form.fallbacks.map(nameOf),
    ...pick(form, [
      'systemPrompt',
      'temperature',
      'topP',
      'maxOutputTokens',
      'stop',
      'seed',
      'reasoningEffort',
      'toolMode',
      'maxRounds',
      'timeLimitMs',
    ]),
    costCapUsd: form.costCapMicroUsd,
    ...pick(form, ['costCapMode', 'allowedToolGroups', 'raisedDataClass', 'fourEyes', 'enabled']),
    groups: form.groups.map(({ name }) => name),
    skills: form.skills.map(({ name, enabled }) => ({ name, enabled })),
  }
}

/** A form knows models by the names people gave them; a file by the ids of their providers. */
async function readModelIds(configurationId: string): Promise<Map<string, string>> {
  const uses = {
    OR: [
      { configurations: { some: { id: configurationId } } },
      { fallbackFor: { some: { configurationId } } },
    ],
  }
  const rows = await db().model.findMany({ where: uses, select: { id: true, modelId: true } })
  return new Map(rows.map(({ id, modelId }) => [id, modelId]))
}
