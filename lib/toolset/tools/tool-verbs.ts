import 'server-only'
import { z } from 'zod'
import {
  listToolApprovals,
  listToolGroupsOff,
  listToolLimits,
  listToolOverrides,
} from '@/lib/domains/tool-settings/reads'
import {
  resetToolOverride,
  setToolApproval,
  setToolGroup,
  setToolLimit,
  setToolOverride,
  ToolLimits,
} from '@/lib/domains/tool-settings/verbs'
import type { PersonsAct } from '@/lib/edge/persons-acts'
import { verb } from '@/lib/edge/verb'
import { offeredNames } from '@/lib/engines/runtime/ask/offered-names'
import { asksByItself } from '@/lib/engines/runtime/policy/rules'
import type { ToolDefinition } from '@/lib/engines/tools/define-tool'
import { db, type Tx } from '@/lib/kernel/db'
import { NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { powerTools } from '@/lib/toolset/policy/power-tools'
import { readPresentNeeds } from '@/lib/toolset/policy/tool-needs'
import { didYouMean } from '@/lib/words/nearest-name'
import { listedTools } from './installed-tools'
import { ToolGroupListing, ToolListing, toListing } from './tool-listing'

export const listTools = verb({
  name: 'tool.list',
  role: 'admin',
  scope: 'tools:read',
  summary: 'Lists the tools of this installation with their switches, by group and name.',
  input: z.object({}),
  output: z.array(ToolListing),
  transaction: false,
  run: () => readListings(),
})

export const showTool = verb({
  name: 'tool.show',
  role: 'admin',
  scope: 'tools:read',
  summary: 'Returns a tool with its switch and its parameters.',
  input: z.object({ name: z.string() }),
  output: ToolListing,
  transaction: false,
  run: (_context, { name }) => findTool(name),
})

const enabled = z.boolean('Give true or false.')

/** Switches a tool. Throws ValidationError when a tool that shows raw data goes on without a reason. */
export const switchTool = verb({
  name: 'tool.switch',
  role: 'admin',
  scope: 'tools:write',
  summary: 'Switches a tool from the next call of any run on.',
  reason: 'optional',
  input: z.object({ name: z.string(), enabled }),
  output: ToolListing,
  personsAct: ({ name, enabled }, client) => actOfTool(client, enabled ? name : null, 'tool'),
  needsReauthentication: async ({ name, enabled }) => {
    const tool = await findTool(name)
    return enabled && !tool.enabled && tool.raw
  },
  transaction: false,
  run: async ({ ctx, reason }, { name, enabled }) => {
    const tool = await findTool(name)
    if (tool.raw && enabled && reason === '') {
      throw new ValidationError({
        reason: `${tool.name} shows data that is normally hidden. Say why it is needed.`,
      })
    }
    await setToolOverride(ctx, { toolName: name, enabled, reason })
    return findTool(name)
  },
})

export const resetTool = verb({
  name: 'tool.reset',
  role: 'admin',
  scope: 'tools:write',
  summary: 'Sets a tool back to its own default.',
  input: z.object({ name: z.string() }),
  output: ToolListing,
  personsAct: async ({ name }, client) => {
    const { enabledByDefault } = await findTool(name)
    return actOfTool(client, enabledByDefault ? name : null, 'tool')
  },
  needsReauthentication: async ({ name }) => {
    const tool = await findTool(name)
    return tool.enabledByDefault && !tool.enabled && tool.raw
  },
  transaction: false,
  run: async ({ ctx }, { name }) => {
    const tool = await findTool(name)
    await resetToolOverride(ctx, { toolName: tool.name })
    return findTool(name)
  },
})

/** Limits how often calls of a tool start, counted for all runs of all servers. */
export const limitTool = verb({
  name: 'tool.limit',
  role: 'admin',
  scope: 'tools:write',
  summary:
    'Limits how often a tool may be called in a minute, for all runs, and in one run. A limit that is left out stays; null = none.',
  reason: 'optional',
  input: ToolLimits.extend({ name: z.string() }),
  output: ToolListing,
  transaction: false,
  run: async ({ ctx, reason }, { name, ...limits }) => {
    const { name: toolName } = await findTool(name)
    await setToolLimit(ctx, { toolName, ...limits, reason })
    return findTool(name)
  },
})

/** Says whether a tool waits. Throws ValidationError when the calls of one that writes should not wait, without a reason. */
export const setApproval = verb({
  name: 'tool.require-approval',
  role: 'admin',
  scope: 'tools:write',
  summary:
    'Sets whether every call of a tool waits for approval, from the next call of any run on. Tools that write wait until this says otherwise, which needs a reason.',
  reason: 'optional',
  input: z.object({ name: z.string(), asks: z.boolean('Give true or false.') }),
  output: ToolListing,
  personsAct: ({ name, asks }, client) => actOfTool(client, asks ? null : name, 'approval'),
  needsReauthentication: async ({ name, asks }) => !asks && needsReason(await findTool(name)),
  transaction: false,
  run: async ({ ctx, reason }, { name, asks }) => {
    const tool = await findTool(name)
    const byItself = asksByItself(tool)
    if (!asks && needsReason(tool) && reason === '')
      throw new ValidationError({ reason: unaskedReason })
    await setToolApproval(ctx, { toolName: tool.name, asks, byItself, reason })
    return findTool(name)
  },
})

/** Returns whether calls of a tool wait because it writes, so that lifting it needs a reason and a proof. */
function needsReason(tool: ToolListing): boolean {
  return asksByItself(tool) && tool.asksApproval
}

const unaskedReason =
  'The tool writes. Say why its calls need no approval. It is stored with the setting and in the audit.'

/** Returns every tool with its switch without asking who wants to know; callers decide what of it they show. */
export async function readListings(): Promise<ToolListing[]> {
  return (await readTools()).map(({ listing }) => listing)
}

/** Returns every tool as `readListings` does, and as gates decide about it. */
export async function readTools(): Promise<{ tool: ToolDefinition; listing: ToolListing }[]> {
  const [tools, overrides, approvals, limits, groupsOff, present] = await Promise.all([
    listedTools(db(), { withSeen: true }),
    listToolOverrides(db()),
    listToolApprovals(db()),
    listToolLimits(db()),
    listToolGroupsOff(db()),
    readPresentNeeds(db()),
  ])
  const byName = new Map(overrides.map((override) => [override.toolName, override]))
  const approvalOf = new Map(approvals.map((approval) => [approval.toolName, approval]))
  const limitOf = new Map(limits.map(({ toolName, ...limit }) => [toolName, limit]))
  const offByGroup = new Map(groupsOff.map((off) => [off.toolGroup, off]))
  const { calledAs } = offeredNames(new Map(tools.map((tool) => [tool.name, tool])))
  const listed = tools.map((tool) => {
    const { name, group } = tool
    const stored = {
      override: byName.get(name),
      groupOff: offByGroup.get(group),
      approval: approvalOf.get(name),
    }
    const listing = toListing(tool, stored, present, calledAs(name))
    const { alias, ...plain } = listing
    const limit = limitOf.get(name)
    const limited = { ...(alias === calledAs(name) ? listing : plain), ...(limit && { limit }) }
    return { tool, listing: limited }
  })
  return listed.sort(
    ({ tool: a }, { tool: b }) => a.group.localeCompare(b.group) || a.name.localeCompare(b.name),
  )
}

export const listToolGroups = verb({
  name: 'tool-group.list',
  role: 'admin',
  scope: 'tools:read',
  summary: 'Lists the groups of tools with their switches.',
  input: z.object({}),
  output: z.array(ToolGroupListing),
  transaction: false,
  run: () => readGroups(),
})

/** Switches a group and stops its active calls when it goes off. Throws NotFoundError when no tool belongs to the group. */
export const switchToolGroup = verb({
  name: 'tool-group.switch',
  role: 'admin',
  scope: 'tools:write',
  summary:
    'Switches a whole group of tools off, which needs a reason, or on, from the next call of any run.',
  reason: 'optional',
  input: z.object({ name: z.string(), enabled }),
  output: ToolGroupListing,
  personsAct: async ({ name, enabled }, client) => {
    if (!enabled) return null
    const hasPower = await powerTools(client)
    return (await toolsOfGroup(name)).some(hasPower) ? 'tool' : null
  },
  needsReauthentication: async ({ name, enabled }) => {
    if (!enabled || (await findGroup(name)).off === null) return false
    return (await toolsOfGroup(name)).some((tool) => tool.enabled && tool.raw)
  },
  transaction: false,
  run: async ({ ctx, reason }, { name, enabled }) => {
    const { name: toolGroup } = await findGroup(name)
    await setToolGroup(ctx, { toolGroup, enabled, reason })
    return findGroup(name)
  },
})

async function readGroups(): Promise<ToolGroupListing[]> {
  const groups = new Map<string, ToolGroupListing>()
  for (const { group: name, groupOff: off, enabled, unavailable } of await readListings()) {
    const known = groups.get(name) ?? { name, enabled: off === null, off, tools: 0, on: 0 }
    groups.set(name, {
      ...known,
      tools: known.tools + 1,
      on: known.on + Number(enabled && unavailable === null),
    })
  }
  return [...groups.values()]
}

async function toolsOfGroup(name: string): Promise<ToolListing[]> {
  return (await readListings()).filter(({ group }) => group === name)
}

/** Returns the act of a change of the tool with this name; null = it has no such power, or there is no name. */
async function actOfTool(
  client: Tx,
  name: string | null,
  act: PersonsAct,
): Promise<PersonsAct | null> {
  if (name === null) return null
  const hasPower = await powerTools(client)
  return hasPower(await findTool(name)) ? act : null
}

async function findTool(name: string): Promise<ToolListing> {
  return findNamed('A tool', await readListings(), name)
}

async function findGroup(name: string): Promise<ToolGroupListing> {
  return findNamed('A tool group', await readGroups(), name)
}

function findNamed<T extends { name: string }>(what: string, all: readonly T[], name: string): T {
  const found = all.find((each) => each.name === name)
  if (found) return found
  const names = all.map((each) => each.name)
  throw new NotFoundError(`${what} named ${name.slice(0, 100)}`, didYouMean(name, names))
}
