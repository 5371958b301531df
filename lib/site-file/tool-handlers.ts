import {
  listToolApprovals,
  listToolGroupsOff,
  listToolLimits,
  listToolOverrides,
} from '@/lib/domains/tool-settings/reads'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { installedTools, toolsByName } from '@/lib/toolset/tools/installed-tools'
import { limitTool, setApproval, switchTool, switchToolGroup } from '@/lib/toolset/tools/tool-verbs'
import type { Handler } from './handler'
import type { GivenOf } from './site-file'

/** Groups of tools that are switched off; the others are on. A group that no tool belongs to any more is left out. */
export const toolGroupHandler: Handler<'toolGroups'> = {
  read: async (ctx) => {
    requireRole(ctx, 'admin')
    const installed = new Set((await installedTools(db())).map(({ group }) => group))
    return (await listToolGroupsOff(db()))
      .filter(({ toolGroup }) => installed.has(toolGroup))
      .map(({ toolGroup, reason }) => ({ name: toolGroup, enabled: false, reason }))
  },
  unwritten: ({ name }) => ({ name, enabled: true, reason: '' }),
  becomes: {
    // A tool that is on has no reason; one that is off has a reason that is not empty.
    reason: (before, { enabled, reason }) => (enabled ? '' : reason || before.reason),
  },
  work: ({ given }) => {
    const write = (ctx: Ctx, reason: string) => switchGroup(ctx, given, reason)
    return given.enabled ? { finish: write } : { narrow: write }
  },
}

async function switchGroup(
  ctx: Ctx,
  { name, enabled, reason }: GivenOf<'toolGroups'>,
  why: string,
): Promise<void> {
  await switchToolGroup(ctx, { name, enabled, reason: reason || why })
}

/** Tools that an admin switched; the others stand on their own default. A tool that is gone is left out. */
export const toolHandler: Handler<'tools'> = {
  read: async (ctx) => {
    requireRole(ctx, 'admin')
    const installed = await toolsByName(db())
    return (await listToolOverrides(db()))
      .filter(({ toolName }) => installed.has(toolName))
      .map(({ toolName, enabled, reason }) => ({ name: toolName, enabled, reason }))
  },
  work: ({ given }) => {
    const write = (ctx: Ctx, reason: string) => switchOne(ctx, given, reason)
    return given.enabled ? { finish: write } : { narrow: write }
  },
}

async function switchOne(
  ctx: Ctx,
  { name, enabled, reason }: GivenOf<'tools'>,
  why: string,
): Promise<void> {
  await switchTool(ctx, { name, enabled, reason: reason ?? why })
}

/** Tools of which an admin said whether their calls wait; those of the others wait if they write. */
export const toolApprovalHandler: Handler<'toolApprovals'> = {
  read: async (ctx) => {
    requireRole(ctx, 'admin')
    const installed = await toolsByName(db())
    return (await listToolApprovals(db()))
      .filter(({ toolName }) => installed.has(toolName))
      .map(({ toolName, asks, reason }) => ({ name: toolName, asks, reason }))
  },
  work: ({ given: { name, asks, reason } }) => {
    const write = (ctx: Ctx, why: string) => setApproval(ctx, { name, asks, reason: reason ?? why })
    return asks ? { narrow: write } : { finish: write }
  },
}

/** Limits for the starts of tools' calls. A lower one is applied first, a higher one last. */
export const toolLimitHandler: Handler<'toolLimits'> = {
  read: async (ctx) => {
    requireRole(ctx, 'admin')
    const installed = await toolsByName(db())
    return (await listToolLimits(db()))
      .filter(({ toolName }) => installed.has(toolName))
      .map(({ toolName, ...limits }) => ({ name: toolName, ...limits }))
      .toSorted((a, b) => a.name.localeCompare(b.name))
  },
  unwritten: ({ name }) => ({ name, perMinute: null, perRun: null }),
  work: ({ before, given: { name, ...given } }) => {
    const { perMinute = null, perRun = null } = before ?? {}
    const lower = {
      perMinute: lowerOf(perMinute, given.perMinute),
      perRun: lowerOf(perRun, given.perRun),
    }
    return {
      narrow: (ctx, reason) => limitTool(ctx, { name, ...lower, reason }),
      finish: (ctx, reason) => limitTool(ctx, { name, ...given, reason }),
    }
  },
}

/** Returns the lower of two limits; null = none, undefined = it stays. */
function lowerOf(before: number | null, given: number | null | undefined): number | null {
  if (given === undefined || given === null) return before
  return before === null ? given : Math.min(before, given)
}
