import { z } from 'zod'
import { configurationSchemas } from '@/lib/domains/configurations/shape'
import { ApprovalRule } from '@/lib/protocol/approval'
import { AfterUntrusted } from '@/lib/protocol/flow'
import { ToolLimits } from '@/lib/protocol/key-limits'
import { RuleCondition } from '@/lib/protocol/rule-condition'
import { DataClass, type ToolMeta } from '@/lib/protocol/tool'
import type { PolicyState } from './read-policy-state'
import type { ApprovalSite } from './ways-out'

const Switched = z.strictObject({ name: z.string().min(1).max(200), enabled: z.boolean() })
const Limit = z.int().min(1).max(1_000_000).nullable()
const { maxRounds, timeLimitMs, costCapMicroUsd, costCapMode } = configurationSchemas

/** Limits of a configuration that a draft may change; what is left out stays. */
const DraftLimits = z
  .strictObject({ maxRounds, timeLimitMs, costCapMicroUsd, costCapMode })
  .partial()

/** Rights of its runs, likewise. */
const DraftRights = z
  .strictObject({
    enabled: z.boolean(),
    allowedToolGroups: configurationSchemas.allowedToolGroups,
    allowedTools: configurationSchemas.allowedTools,
    raisedDataClass: DataClass.nullable(),
    fourEyes: z.boolean(),
    afterUntrusted: AfterUntrusted,
  })
  .partial()

const DraftConfiguration = z.strictObject({
  id: z.uuid(),
  ...DraftLimits.shape,
  ...DraftRights.shape,
})

function draftSchema(mostEntries: number) {
  const listOf = <T extends z.ZodType>(entry: T) =>
    z.array(entry).max(mostEntries, `At most ${mostEntries} entries.`).default([])
  return z.strictObject({
    rules: listOf(
      z.strictObject({
        id: z.string().min(1).max(100),
        rule: ApprovalRule.omit({ id: true })
          .extend({
            name: z.string().trim().min(1).max(100, 'At most 100 characters.'),
            conditions: z.array(RuleCondition).max(10, 'At most 10 conditions.'),
          })
          .nullable(),
      }),
    ),
    tools: listOf(Switched),
    toolGroups: listOf(Switched),
    servers: listOf(Switched),
    toolApprovals: listOf(z.strictObject({ name: Switched.shape.name, asks: z.boolean() })),
    toolLimits: listOf(
      z.strictObject({ name: Switched.shape.name, perMinute: Limit, perRun: Limit }).partial({
        perMinute: true,
        perRun: true,
      }),
    ),
    configurations: listOf(DraftConfiguration),
    groups: listOf(z.strictObject({ id: z.uuid(), limits: ToolLimits.nullable() })),
    people: listOf(
      z.strictObject({
        id: z.uuid(),
        joins: listOf(z.uuid()),
        leaves: listOf(z.uuid()),
      }),
    ),
  })
}

/**
 * A change of the policy that is tried and not stored. A rule with the id of a stored one replaces it; `rule` null = it is
 * gone. `groups`: ids of groups of people with their new limits, null = none. `people`: ids of people with the groups that
 * they join and leave.
 */
export const PolicyDraft = draftSchema(50)
export type PolicyDraft = z.output<typeof PolicyDraft>

/** A draft with as many entries as a site file has. */
export const WholePolicyDraft = draftSchema(Number.MAX_SAFE_INTEGER)

/** Author of what a draft switches, in the words of explain. */
const author = { by: 'this change', reason: '' }

/** A group of people; `limits` null = it limits nobody. `configurations`: ids of those that it may use. */
export type DraftGroup = {
  name: string
  limits: ToolLimits | null
  configurations: readonly string[]
}

/** Surroundings of a draft: the configuration of a run, the tools, and the groups of people, by id. */
type DraftContext = {
  configurationId: string | null
  tools: Iterable<ToolMeta>
  groups: ReadonlyMap<string, DraftGroup>
}

/** Returns the policy with the changes of a draft for the run of one configuration. */
export function withDraft(
  state: PolicyState,
  draft: PolicyDraft,
  { configurationId, tools, groups }: DraftContext,
): PolicyState {
  const member = withMemberships(state, draft.people, { configurationId, groups })
  return {
    ...state,
    overrides: replaced(state.overrides, draft.tools, ({ toolName }) => toolName, {
      make: ({ name: toolName, enabled }) => ({
        toolName,
        enabled,
        reason: author.reason,
        changedBy: author.by,
        changedAt: 0,
      }),
    }),
    groupsOff: replaced(state.groupsOff, draft.toolGroups, ({ toolGroup }) => toolGroup, {
      make: ({ name: toolGroup, enabled }) => (enabled ? null : { toolGroup, ...author }),
    }),
    limits: replaced(state.limits, draft.toolLimits, ({ toolName }) => toolName, {
      make: ({ name: toolName, ...limit }, before) => ({
        toolName,
        perMinute: limit.perMinute === undefined ? (before?.perMinute ?? null) : limit.perMinute,
        perRun: limit.perRun === undefined ? (before?.perRun ?? null) : limit.perRun,
      }),
    }),
    approvalRules: withRules(state.approvalRules, draft.rules),
    toolApprovals: withEntries(
      state.toolApprovals,
      draft.toolApprovals.map(({ name, asks }) => [name, asks]),
    ),
    remote: withServers(state.remote, draft.servers, tools),
    configuration: withConfiguration(member.configuration, configurationId, draft.configurations),
    actor: member.actor && withGroups(member.actor, draft.groups, groups),
  }
}

/** Returns the facts about approvals with the changes of a draft. */
export function approvalsWithDraft(site: ApprovalSite, draft: PolicyDraft): ApprovalSite {
  const rights = new Map(draft.configurations.map((change) => [change.id, change]))
  const limits = new Map(draft.groups.map(({ id, limits }) => [id, limits]))
  const people = new Map(draft.people.map((change) => [change.id, change]))
  return {
    ...site,
    approvalRules: withRules(site.approvalRules, draft.rules),
    toolApprovals: withEntries(
      site.toolApprovals,
      draft.toolApprovals.map(({ name, asks }) => [name, asks]),
    ),
    configurations: site.configurations.map((configuration) => {
      const change = rights.get(configuration.id)
      return { ...configuration, ...(change && defined(DraftRights.strip().parse(change))) }
    }),
    groups: new Map(
      [...site.groups].map(([id, group]) => [
        id,
        {
          ...group,
          limits: limits.get(id) === undefined ? group.limits : (limits.get(id) ?? null),
        },
      ]),
    ),
    people: site.people.map((person) => {
      const change = people.get(person.id)
      return change ? { ...person, groups: groupsAfter(person.groups, change) } : person
    }),
  }
}

/** Returns the limits of a configuration with the changes of a draft. */
export function limitsWithDraft<L extends z.output<typeof DraftLimits>>(
  limits: L,
  { configurations }: PolicyDraft,
  configurationId: string | null,
): L {
  const change = configurations.find(({ id }) => id === configurationId)
  return change ? { ...limits, ...defined(DraftLimits.strip().parse(change)) } : limits
}

/** Returns the rows with those that a draft names made anew; null = the row is gone. */
function replaced<Row, Change extends { name: string }>(
  rows: readonly Row[],
  changes: readonly Change[],
  nameOf: (row: Row) => string,
  { make }: { make: (change: Change, before: Row | undefined) => Row | null },
): Row[] {
  if (changes.length === 0) return [...rows]
  const named = new Map(changes.map((change) => [change.name, change]))
  const before = new Map(rows.map((row) => [nameOf(row), row]))
  const made = [...named.values()].flatMap((change) => make(change, before.get(change.name)) ?? [])
  return [...rows.filter((row) => !named.has(nameOf(row))), ...made]
}

function withRules(
  rules: readonly ApprovalRule[],
  changes: PolicyDraft['rules'],
): PolicyState['approvalRules'] {
  const named = new Set(changes.map(({ id }) => id))
  const made = changes.flatMap(({ id, rule }) => (rule ? [{ ...rule, id }] : []))
  return [...rules.filter(({ id }) => !named.has(id)), ...made].toSorted((a, b) =>
    a.name < b.name ? -1 : Number(a.name > b.name),
  )
}

function withEntries<V>(map: ReadonlyMap<string, V>, entries: [string, V][]): Map<string, V> {
  return new Map([...map, ...entries])
}

function withServers(
  remote: PolicyState['remote'],
  servers: PolicyDraft['servers'],
  tools: Iterable<ToolMeta>,
): PolicyState['remote'] {
  if (servers.length === 0) return remote
  const isOn = new Map(servers.map(({ name, enabled }) => [name, enabled]))
  const changed = new Map(remote)
  for (const { name, server } of tools) {
    const known = remote.get(name)
    const isServerOn = server === undefined ? undefined : isOn.get(server)
    if (known && isServerOn !== undefined) changed.set(name, { ...known, isServerOn })
  }
  return changed
}

function withConfiguration(
  configuration: PolicyState['configuration'],
  configurationId: string | null,
  changes: PolicyDraft['configurations'],
): PolicyState['configuration'] {
  const change = changes.find(({ id }) => id === configurationId)
  if (!configuration || !change) return configuration
  return { ...configuration, ...defined(DraftRights.strip().parse(change)) }
}

type PolicyActor = NonNullable<PolicyState['actor']>

/** Returns the groups of a person after a draft. */
function groupsAfter(groups: readonly string[], { joins, leaves }: PolicyDraft['people'][number]) {
  return [...new Set([...groups.filter((id) => !leaves.includes(id)), ...joins])]
}

/** Returns the person of a run with the groups that a draft gives them, and whether one of these may use the configuration. */
function withMemberships(
  { actor, configuration }: Pick<PolicyState, 'actor' | 'configuration'>,
  people: PolicyDraft['people'],
  { configurationId, groups }: Pick<DraftContext, 'configurationId' | 'groups'>,
): Pick<PolicyState, 'actor' | 'configuration'> {
  const change = people.find(({ id }) => id === actor?.userId)
  if (!actor || !change) return { actor, configuration }
  const ids = groupsAfter(actor.groups, change)
  const own = ids.flatMap((id) => groups.get(id) ?? [])
  const limitedBy = own.flatMap(({ name, limits }) => (limits ? [{ name, limits }] : []))
  const isOpenToGroup = own.some(
    ({ configurations }) => configurationId !== null && configurations.includes(configurationId),
  )
  return {
    actor: { ...actor, groups: ids, limitedBy },
    configuration: configuration && { ...configuration, isOpenToGroup },
  }
}

function withGroups(
  actor: PolicyActor,
  groups: PolicyDraft['groups'],
  known: DraftContext['groups'],
): PolicyActor {
  const own = groups.flatMap(({ id, limits }) =>
    actor.groups.includes(id) ? [{ name: known.get(id)?.name ?? id, limits }] : [],
  )
  if (own.length === 0) return actor
  const limitedBy = replaced(actor.limitedBy, own, ({ name }) => name, {
    make: ({ name, limits }) => limits && { name, limits },
  })
  return { ...actor, limitedBy }
}

/** Returns the fields that are not left out. */
function defined<T extends object>(fields: T) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  // The rest has the types of its fields, without undefined, which the compiler cannot infer.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
