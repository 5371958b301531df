import { readGroupLimits } from '@/lib/domains/groups/reads'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import { limitGroup } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import type { ToolLimits } from '@/lib/protocol/key-limits'
import type { EntryChange, Handler } from './handler'
import { resourceHandler } from './resource-handler'

const described = resourceHandler('groups')

const limitFields = ['tools', 'toolGroups'] as const
const none: ToolLimits = { tools: null, toolGroups: null }

/** Groups of people without their members. What a limit takes away is taken first, what it gives is given last. */
export const groupHandler: Handler<'groups'> = {
  read: async (ctx) => {
    const limits = await readGroupLimits(db())
    return (await described.read(ctx)).map((entry) => ({ ...entry, ...limits.get(entry.name) }))
  },
  work: (change) => {
    const { before, given, changed } = change
    const { tools: _tools, toolGroups: _groups, ...facts } = given
    const others = new Set([...changed].filter((field) => !isLimit(field)))
    const { write } = described.work({ before, given: facts, changed: others })
    if (![...changed].some(isLimit)) return { write }
    const { was, becomes } = limitsOf(change)
    const limit = (limits: ToolLimits) => (ctx: Ctx, reason: string) =>
      limitTo(ctx, given.name, limits, reason)
    return {
      narrow: before ? limit(allowedByBoth(was, becomes)) : undefined,
      write: async (ctx, reason) => {
        await write?.(ctx, reason)
        if (!before) await limit(becomes)(ctx, reason)
      },
      finish: before ? limit(becomes) : undefined,
    }
  },
}

function isLimit(field: string): boolean {
  return limitFields.some((each) => each === field)
}

function limitsOf({ before, given }: EntryChange<'groups'>) {
  const was = before ?? none
  const { tools = was.tools, toolGroups = was.toolGroups } = given
  return { was, becomes: { tools, toolGroups } }
}

async function limitTo(ctx: Ctx, name: string, limits: ToolLimits, reason: string): Promise<void> {
  const { id } = await groupVerbs.read(ctx, { id: name })
  await limitGroup(ctx, { id, ...limits, reason })
}

/** Returns limits that allow nothing that one of the two does not allow. */
function allowedByBoth(a: ToolLimits, b: ToolLimits): ToolLimits {
  if (isNone(a)) return b
  if (isNone(b)) return a
  return { tools: inBoth(a.tools, b.tools), toolGroups: inBoth(a.toolGroups, b.toolGroups) }
}

function isNone({ tools, toolGroups }: ToolLimits): boolean {
  return tools === null && toolGroups === null
}

function inBoth(a: readonly string[] | null, b: readonly string[] | null): string[] | null {
  if (a === null && b === null) return null
  return (a ?? []).filter((name) => b?.includes(name))
}
