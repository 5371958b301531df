import { readEditableConfiguration } from '@/lib/domains/configurations/reads'
import { accessFields, policyFields, workFields } from '@/lib/domains/configurations/shape'
import { requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import type { ConfigurationForm, NamedModel } from '@/lib/protocol/parameters/configuration-form'
import { pick } from '@/lib/protocol/parameters/parameters'
import {
  createConfigurationEntry,
  narrowConfiguration,
  openConfiguration,
  updateConfigurationEntry,
} from './configuration-acts'
import { lostRaise } from './connection-handler'
import type { Handler } from './handler'
import type { EntryOf } from './site-file'

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
      const { form } = await readEditableConfiguration(ctx, { id })
      entries.push(toEntry(form, await readModelIds(id)))
    }
    return entries
  },
  consequences: lostRaise,
  work: (change) => {
    const { before, given, changed } = change
    const isAccess = accessFields.some((field) => changed.has(field))
    return {
      narrow:
        isAccess && before ? (ctx, reason) => narrowConfiguration(ctx, change, reason) : undefined,
      write: (ctx, reason) =>
        before
          ? updateConfigurationEntry(ctx, change, reason)
          : createConfigurationEntry(ctx, given, reason),
      finish: isAccess ? (ctx, reason) => openConfiguration(ctx, change, reason) : undefined,
    }
  },
}

function toEntry(
  form: ConfigurationForm,
  modelIds: ReadonlyMap<string, string>,
): EntryOf<'configurations'> {
  const nameOf = ({ id, connection }: NamedModel) => ({ connection, model: modelIds.get(id) ?? '' })
  return {
    ...pick(form, ['identifier', 'name', 'description']),
    model: nameOf(form.model),
    fallbacks: form.fallbacks.map(nameOf),
    ...pick(form, workFields),
    ...form.options,
    costCapUsd: form.costCapMicroUsd,
    ...pick(form, [
      'costCapMode',
      'allowedToolGroups',
      'allowedTools',
      'allowedOverrides',
      ...policyFields,
    ]),
    groups: form.groups.map(({ name }) => name).toSorted(),
    skills: form.skills.map(({ name, enabled }) => ({ name, enabled })),
  }
}

/** Returns the ids of models. A form uses their internal ids, a file the ids of their providers. */
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
