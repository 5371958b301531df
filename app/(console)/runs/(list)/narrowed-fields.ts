import type { FilterField } from '@/components/forms/address-filter'
import { listUsageNames } from '@/lib/domains/usage/reads'
import { emailOf } from '@/lib/domains/users/reads'
import type { Ctx } from '@/lib/kernel/context'
import type { RunFilter } from '@/lib/runs/schemas'

type Narrowed = Pick<
  RunFilter,
  'user' | 'model' | 'connection' | 'apiKey' | 'tool' | 'from' | 'to' | 'usedFrom' | 'usedTo'
>

/** Returns the fields for filters that links from other pages set, so that people see and can remove them. */
export async function narrowedFields(ctx: Ctx, narrowed: Narrowed): Promise<FilterField[]> {
  const { user, model, connection, apiKey, tool, from, to, usedFrom, usedTo } = narrowed
  const fields: FilterField[] = []
  if (from) fields.push({ type: 'moment', name: 'from', label: 'From' })
  if (to) fields.push({ type: 'moment', name: 'to', label: 'Until' })
  if (usedFrom) fields.push({ type: 'moment', name: 'usedFrom', label: 'Activity from' })
  if (usedTo) fields.push({ type: 'moment', name: 'usedTo', label: 'Activity until' })
  if (tool) fields.push(only('tool', 'Tool', 'Any tool', tool, tool))
  if (ctx.actor.role !== 'admin') return fields
  if (user) fields.push(only('user', 'User', 'Everybody', user, await emailOf(ctx, user)))
  if (!model && !connection && !apiKey) return fields
  const names = await listUsageNames(ctx)
  if (model) fields.push(only('model', 'Model', 'Any model', model, nameOf(names.models, model)))
  if (connection) {
    const name = nameOf(names.connections, connection)
    fields.push(only('connection', 'Connection', 'Any connection', connection, name))
  }
  if (apiKey)
    fields.push(only('apiKey', 'API key', 'Any key', apiKey, nameOf(names.apiKeys, apiKey)))
  return fields
}

function only(name: string, label: string, any: string, value: string, shown: string): FilterField {
  return { type: 'choice', name, label, any, options: [{ value, label: shown }] }
}

function nameOf(named: readonly { id: string; name: string }[], id: string): string {
  return named.find((each) => each.id === id)?.name ?? 'deleted one'
}
