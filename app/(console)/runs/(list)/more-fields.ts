import type { FilterField } from '@/components/forms/address-filter'
import { listUsageNames } from '@/lib/domains/usage/reads'
import { personName } from '@/lib/domains/users/reads'
import type { Ctx } from '@/lib/kernel/context'
import { recentTools } from '@/lib/runs/find-runs'
import { recentTags } from '@/lib/runs/mark-run'
import type { RunFilter } from '@/lib/runs/schemas'
import { choice, moreRunFields, type Named } from './run-filter'

/**
 * Returns the fields behind the button. Those that only links from other pages set are among them while they are set, so
 * that people see and can remove them.
 */
export async function moreFields(
  ctx: Ctx,
  query: RunFilter,
  configurations: readonly Named[],
  tasks: readonly Named[],
): Promise<FilterField[]> {
  const { tool, tag, usedFrom, usedTo } = query
  const [tools, tags, admins] = await Promise.all([
    recentTools(ctx),
    recentTags(ctx),
    adminFields(ctx, query),
  ])
  return [
    ...moreRunFields(configurations, tasks, withPicked(tools, tool), withPicked(tags, tag)),
    ...admins,
    ...(usedFrom ? [{ type: 'moment', name: 'usedFrom', label: 'Activity from' } as const] : []),
    ...(usedTo ? [{ type: 'moment', name: 'usedTo', label: 'Activity until' } as const] : []),
  ]
}

/** Returns the names with the one that is picked, which may not be among the newest. */
function withPicked(names: readonly string[], picked: string | undefined): readonly string[] {
  return picked && !names.includes(picked) ? [picked, ...names] : names
}

/** Returns the fields about what only admins see the names of. */
async function adminFields(
  ctx: Ctx,
  { user, model, connection, apiKey }: Pick<RunFilter, 'user' | 'model' | 'connection' | 'apiKey'>,
): Promise<FilterField[]> {
  if (ctx.actor.role !== 'admin') return []
  const [names, chosen] = await Promise.all([
    listUsageNames(ctx),
    user ? personName(ctx, user) : null,
  ])
  return [
    { type: 'person', name: 'user', label: 'Person', any: 'Everybody', chosen },
    byId('model', 'Model', 'Any model', names.models, model),
    byId('connection', 'Connection', 'Any connection', names.connections, connection),
    ...(apiKey ? [byId('apiKey', 'API key', 'Any key', names.apiKeys, apiKey)] : []),
  ]
}

/** Returns a field of named objects. What was deleted stays an option while it is picked. */
function byId(
  name: string,
  label: string,
  any: string,
  all: readonly Named[],
  picked: string | undefined,
): FilterField {
  const isGone = picked !== undefined && !all.some(({ id }) => id === picked)
  const gone = isGone ? [{ value: picked, label: 'deleted one' }] : []
  return choice(name, label, any, [
    ...gone,
    ...all.map((each) => ({ value: each.id, label: each.name })),
  ])
}
