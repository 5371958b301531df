import { listUsageNames } from '@toolgate/server/domains/usage/reads'
import { personName } from '@toolgate/server/domains/users/reads'
import type { Ctx } from '@toolgate/server/kernel/context'
import { recentTools } from '@toolgate/server/runs/lists/find-runs'
import { recentTags } from '@toolgate/server/runs/mark-run'
import type { RunFilter } from '@toolgate/server/runs/schemas'
import type { FilterField } from '@/components/forms/address-filter'
import { choice, moreRunFields, type Named, named } from './run-filter'

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
    ...moreRunFields({
      configurations: withGone(configurations, query.configuration, 'no longer available'),
      tasks: withGone(tasks, query.task, 'no longer available'),
      tools: withPicked(tools, tool),
      tags: withPicked(tags, tag),
    }),
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

/** Returns a field of named objects. */
function byId(
  name: string,
  label: string,
  any: string,
  all: readonly Named[],
  picked: string | undefined,
): FilterField {
  return choice(name, label, any, named(withGone(all, picked, 'deleted one')))
}

/** Returns the objects with the picked one: what is gone stays an option while it is picked, under these words. */
function withGone(all: readonly Named[], picked: string | undefined, words: string): Named[] {
  const isGone = picked !== undefined && !all.some(({ id }) => id === picked)
  return isGone ? [{ id: picked, name: words }, ...all] : [...all]
}
