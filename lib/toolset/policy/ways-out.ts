import { asksForApproval, type RuleParty, ruleConcerns } from '@/lib/engines/runtime/policy/rules'
import { type ApprovalRule, asksPeople } from '@/lib/protocol/approval'
import type { AfterUntrusted } from '@/lib/protocol/flow'
import { groupsRefuseTool, type ToolLimits } from '@/lib/protocol/key-limits'
import type { Role, ToolMeta } from '@/lib/protocol/tool'
import { type AllowedNames, allowsTool, toolAccess } from '@/lib/protocol/tool-access'
import { lossStart } from '@/lib/protocol/typed-confirmation'
import { countOf } from '@/lib/words/format'

type Tool = Pick<ToolMeta, 'name' | 'group' | 'server' | 'effect' | 'requiresAdmin'>
type Person = { id: string; email: string; role: Role; groups: readonly string[] }
type Configuration = AllowedNames & {
  id: string
  name: string
  fourEyes: boolean
  afterUntrusted: AfterUntrusted
  /** Ids of the groups that may use it. */
  groups: readonly string[]
}

/** Facts of a site that decide who may approve which calls. */
export type ApprovalSite = {
  /** Accounts that are in use and can sign in. */
  people: readonly Person[]
  /** Groups of people by id; `limits` null = they limit nobody. */
  groups: ReadonlyMap<string, { name: string; limits: ToolLimits | null }>
  configurations: readonly Configuration[]
  /** Rules that are switched on. */
  approvalRules: readonly ApprovalRule[]
  /** Approval settings of admins, by the name of the tool. */
  toolApprovals: ReadonlyMap<string, boolean>
  /** Owners of the API keys that rules name. */
  keyOwners: ReadonlyMap<string, string>
  /** `authors` count as starters of its runs (SPEC A10); `configurationId` null = any. */
  schedules: readonly {
    name: string
    configurationId: string | null
    userId: string
    authors: readonly string[]
  }[]
  /** `authors` count as starters of every run of it. */
  tasks: readonly {
    id: string
    name: string
    configurationId: string | null
    authors: readonly string[]
  }[]
  tools: readonly Tool[]
}

/** Somebody or something that starts runs, with the ids of all who count as starters. */
type Start = {
  id: string
  words: string
  person: Person
  starters: readonly string[]
  configurationId: string | null
}

/** Calls that would wait for somebody who does not exist. */
type DeadEnd = {
  tool: string
  start: Pick<Start, 'id' | 'words'>
  configurationId: string
  demand: string
  why: string
}

/**
 * Returns the calls that wait for approval and that nobody could approve: a second person is required, and every admin who
 * may use the tool counts as starter. All other calls can be approved by the person of the run, unless that person edited what it goes
 * on from. Switches of tools and configurations do not count, so that switching one on leads to no dead end. The conditions of
 * rules count as fulfilled.
 */
function deadEnds(site: ApprovalSite): DeadEnd[] {
  const starts = startsOf(site)
  const admins = site.people.filter(({ role }) => role === 'admin')
  const mayBeRefused = (admin: Person) => (rule: ApprovalRule) =>
    rule.userId === admin.id || (rule.groupId !== null && admin.groups.includes(rule.groupId))
  return site.tools.flatMap((tool) => {
    const rules = site.approvalRules.filter((rule) => mayConcern(rule, tool))
    const ofTool = { ...site, approvalRules: rules }
    const refusals = refusalsOf(ofTool)
    const approvers = admins.filter((admin) => mayUse(site, admin, tool))
    // One of them who is no starter can approve, which leaves few starts to look at, or none.
    const sure = approvers.filter((admin) => !refusals.some(mayBeRefused(admin)))
    const alone = starts.filter((start) => areAll(sure, start) && mayUse(site, start.person, tool))
    return alone.flatMap((start) => {
      const why = areAll(admins, start)
        ? 'no other admin can sign in'
        : 'no other admin may use the tool'
      const demands = demandsOf(ofTool, tool, { start, approvers })
      return demands.map((demand) => ({ tool: tool.name, start, why, ...demand }))
    })
  })
}

/** Returns whether a rule may be about calls of a tool, whoever makes them. */
function mayConcern(rule: ApprovalRule, tool: Tool): boolean {
  const { toolName, toolGroup, serverName } = rule
  return (
    (toolName === null || toolName === tool.name) &&
    (toolGroup === null || toolGroup === tool.group) &&
    (serverName === null || serverName === tool.server)
  )
}

/** Returns whether all these people count as starters. */
function areAll(people: readonly Person[], { starters }: Start): boolean {
  return people.every(({ id }) => starters.includes(id))
}

/** Returns the rules that refuse calls, whatever their arguments. */
function refusalsOf({ approvalRules }: ApprovalSite): ApprovalRule[] {
  return approvalRules.filter(
    ({ action, conditions }) => action === 'deny' && conditions.length === 0,
  )
}

function startsOf({ people, schedules, tasks }: ApprovalSite): Start[] {
  const byId = new Map(people.map((person) => [person.id, person]))
  const own = people.map((person) => ({
    id: person.id,
    words: person.email,
    person,
    starters: [person.id],
    configurationId: null,
  }))
  const scheduled = schedules.flatMap(({ name, userId, authors, configurationId }) => {
    const person = byId.get(userId)
    if (!person) return []
    const starters = [userId, ...authors]
    const words = `the schedule ${name}`
    return [{ id: `schedule ${name}`, words, person, starters, configurationId }]
  })
  // A task with one author is started as other runs of that person.
  const ofTasks = tasks.flatMap(({ id, name, authors, configurationId }) => {
    const person = authors.flatMap((author) => byId.get(author) ?? [])[0]
    if (!person || authors.length === 1) return []
    return [{ id, words: `the task ${name}`, person, starters: authors, configurationId }]
  })
  return [...own, ...scheduled, ...ofTasks]
}

function mayUse({ groups }: ApprovalSite, person: Person, tool: Tool): boolean {
  if (tool.requiresAdmin && person.role !== 'admin') return false
  const limitedBy = person.groups.flatMap((id) => {
    const group = groups.get(id)
    return group?.limits ? [{ name: group.name, limits: group.limits }] : []
  })
  return groupsRefuseTool(limitedBy, tool) === null
}

/**
 * Returns what requires a second person, whom nobody can be, for calls of a tool in runs that begin so, each as the start of a
 * sentence. `approvers`: admins whose groups allow the tool.
 */
function demandsOf(
  site: ApprovalSite,
  tool: Tool,
  { start, approvers }: { start: Start; approvers: readonly Person[] },
): Pick<DeadEnd, 'configurationId' | 'demand'>[] {
  const refusals = refusalsOf(site)
  return site.configurations.flatMap((configuration) => {
    if (!mayStart(start, configuration) || !allowsTool(toolAccess(configuration), tool)) return []
    return partiesOf(site, start, configuration).flatMap((party) => {
      const refuses = (person: Person) =>
        refusals.some((rule) => ruleConcerns(rule, tool, { ...party, actor: actorOf(person) }))
      const left = approvers.filter((person) => !refuses(person))
      if (refuses(start.person) || !areAll(left, start)) return []
      const asking = site.approvalRules.filter(
        (rule) => asksPeople(rule.action) && ruleConcerns(rule, tool, party),
      )
      const waits =
        asking.length > 0 ||
        asksForApproval(tool, site) ||
        (configuration.afterUntrusted === 'ask' && tool.effect !== 'read')
      const demands = [
        ...(configuration.fourEyes && waits ? [`the configuration ${configuration.name}`] : []),
        ...asking.flatMap(({ name, fourEyes }) => (fourEyes ? [`the rule "${name}"`] : [])),
      ]
      return demands.map((demand) => ({ configurationId: configuration.id, demand }))
    })
  })
}

function actorOf({ id: userId, groups }: Person): { userId: string; groups: string[] } {
  return { userId, groups: [...groups] }
}

function mayStart({ person, configurationId }: Start, { id, groups }: Configuration): boolean {
  if (configurationId !== null && configurationId !== id) return false
  return person.role === 'admin' || groups.some((group) => person.groups.includes(group))
}

/** Returns the runs that begin so, as rules see them: without an API key, and with each key of the person that a rule names. */
function partiesOf(
  { keyOwners }: ApprovalSite,
  { person, configurationId }: Start,
  { id, afterUntrusted }: Configuration,
): RuleParty[] {
  const own = [...keyOwners].flatMap(([key, owner]) => (owner === person.id ? [key] : []))
  const keys = configurationId === null ? own : []
  return [null, ...keys].map((apiKeyId) => ({
    apiKeyId,
    configuration: { id, afterUntrusted },
    actor: actorOf(person),
  }))
}

/**
 * Returns what nobody could do any more after a change, a sentence each. What nobody could do before is left out. That an admin
 * who can sign in stays, who can unfreeze the site and change every rule, is for the verbs about people (SPEC A3).
 */
export function lostWays(before: ApprovalSite, after: ApprovalSite): string[] {
  const keyOf = ({ tool, start, configurationId }: DeadEnd) =>
    JSON.stringify([tool, start.id, configurationId])
  const known = new Set(deadEnds(before).map(keyOf))
  const lost = deadEnds(after).filter((end) => !known.has(keyOf(end)))
  const ofTools = grouped(lost, ({ tool, demand, why }) => [tool, demand, why]).map((same) => ({
    ...same[0],
    starts: few([...new Set(same.map(({ start }) => start.words))], 'other', 'others'),
  }))
  return grouped(ofTools, ({ starts, demand, why }) => [starts, demand, why]).map((same) => {
    const { starts, demand, why } = same[0]
    const tools = few([...new Set(same.map(({ tool }) => tool))], 'other tool')
    return `${lossStart} calls of ${tools} in runs of ${starts}: ${demand} requires a second person, and ${why}; these calls wait until they are denied.`
  })
}

/** Returns the entries in groups of the same key. */
function grouped<T>(entries: readonly T[], keyOf: (entry: T) => readonly string[]): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>()
  for (const entry of entries) {
    const key = JSON.stringify(keyOf(entry))
    const group = groups.get(key)
    if (group) group.push(entry)
    else groups.set(key, [entry])
  }
  return [...groups.values()]
}

const mostNamed = 3

function few(names: readonly string[], other: string, others?: string): string {
  const named = names.slice(0, mostNamed)
  const more = names.length - named.length
  const all = more > 0 ? [...named, countOf(more, other, others)] : named
  return new Intl.ListFormat('en').format(all)
}
