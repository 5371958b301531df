import type { Held, MissingAccount, RemoteState } from '@/lib/domains/servers/shared/remote-state'
import { isGranted } from '@/lib/domains/skills/shared/skill-names'
import { groupsRefuseTool, keyRefusesTool } from '@/lib/protocol/key-limits'
import type { TrustZone } from '@/lib/protocol/model/model-target'
import { DataClass, type Denial, type ToolNeed } from '@/lib/protocol/tool'
import { accessWords, allowsTool } from '@/lib/protocol/tool-access'
import { dataClassWords, zoneWords } from '@/lib/protocol/trust-words'
import { because, inSentence } from '@/lib/words/format'
import { namedIn, nearestName } from '@/lib/words/nearest-name'
import { refusedBy, ruleConcerns } from './rules'
import type { Gate } from './subject'
import { shownReads } from './untrusted-reads'

// The gates of a few lines, in the order of SPEC G; gate 7, which has rules of its own, is the last.

/** The answer of gate 1 for a name that the tool Map does not hold: names match exactly or not at all (SPEC T9). */
export const notRegistered: Denial = {
  allowed: false,
  gate: 'registered',
  reason: 'There is no tool with exactly this name. Check the name in the list of tools.',
}

/** Returns the denial of a call of a tool that does not exist, with the offered one that the model may have meant. */
export function unknownTool(name: string, offered: readonly string[]): Denial {
  const nearest = namedIn(name, offered) ?? nearestName(name, offered)
  if (nearest === null) return notRegistered
  const reason = `There is no tool with exactly this name. The nearest one is ${nearest}.`
  return { ...notRegistered, reason, nearest }
}

/** Why a tool is not available while this site has none of what it needs. */
export const missingNeed: Readonly<Record<ToolNeed, string>> = {
  storage:
    'Not available: this site has no storage that is switched on, so there are no assets to use. An admin can add one under Resources.',
  workspace:
    'Not available: this site has no workspace that is switched on, so there are no files to use.',
  program:
    'Not available: this site has no program that is switched on, or no workspace to run it in. An admin can add both under Resources.',
  channel:
    'Not available: this site has no channel that runs may send messages to. An admin can allow it on a channel.',
  'search-endpoint':
    'Not available: this site has no search endpoint that is switched on. An admin can add one under Resources.',
  'data-source':
    'Not available: this site has no data source that is switched on. An admin can add one under Resources.',
  host: 'Not available: no host is listed that tools may read. An admin can add one under Resources.',
  site: 'Not available: there is no website under Resources, Sites that is switched on. An admin can add one.',
}

/** Why an extra tool is denied whose file could not be used. What is wrong with the file is for admins. */
const fileUnusable =
  'Not loaded: the file of this tool could not be used when the server started. An admin can see why in the list of tools.'

/** Gate 1: a tool counts as installed only if its file could be used, and while the site has what it needs. */
export const registered: Gate = {
  name: 'registered',
  denies: ({ name, needs, notLoaded, server }, { present, remote }) => {
    if (server !== undefined) return missingRemote(server, notLoaded, remote.get(name))
    if (notLoaded !== undefined) return fileUnusable
    return needs === undefined || present.has(needs) ? null : missingNeed[needs]
  },
}

/** Returns why a server's tool does not exist at this moment; null = it does. */
export function missingRemote(
  server: string,
  notLoaded: string | undefined,
  state: Omit<RemoteState, 'pin'> | undefined,
): string | null {
  if (!state || state.isGone) return `The server ${server} does not offer it any more.`
  if (!state.isServerOn) return `The server ${server} is switched off. An admin can switch it on.`
  if (notLoaded === undefined) return null
  return 'Its schemas cannot be checked, so it is never called. An admin can see why under Servers.'
}

/** Gate 2: the site-wide kill switch stops every tool. */
export const frozen: Gate = {
  name: 'frozen',
  denies: (_tool, subject) =>
    subject.frozen &&
    `All tools of this site are stopped by ${subject.frozen.by}${because(subject.frozen.reason)}`,
}

/** Gate 3: a switched-off group beats every switch of its tools. */
export const group: Gate = {
  name: 'group',
  denies: (tool, subject) => {
    const off = subject.groupsOff.get(tool.group)
    return off
      ? `The whole group "${tool.group}" is switched off for this site by ${off.by}${because(off.reason)} An admin can switch the group on.`
      : null
  },
}

/** Gate 4: an admin's switch, else the tool's own default. */
export const enabled: Gate = {
  name: 'enabled',
  denies: (tool, subject) => {
    const override = subject.overrides.get(tool.name)
    if (!override) {
      return tool.enabledByDefault ? null : 'Off until an admin switches it on for this site.'
    }
    return override.enabled
      ? null
      : `Switched off for this site by ${override.changedBy}${because(override.reason)} An admin can switch the tool on.`
  },
}

/** Gate 5: admin tools are for admins, an unknown actor may use nothing, and groups may limit their members. */
export const role: Gate = {
  name: 'role',
  denies: (tool, subject) => {
    if (!subject.actor) {
      return 'The account of this run is unknown or disabled. Sign in with an active account.'
    }
    if (tool.requiresAdmin && subject.actor.role !== 'admin') {
      return 'Only admins may use this tool. Ask an admin to run it.'
    }
    return groupsRefuseTool(subject.actor.limitedBy, tool)
  },
  part: (tool, { actor }) => {
    if (actor === null || (tool.requiresAdmin && actor.role !== 'admin')) return undefined
    return groupsRefuseTool(actor.limitedBy, tool) === null ? undefined : 'group'
  },
}

/** Gate 6: whether the person may run with the configuration at all, and the tools that it allows, then and now. */
export const configuration: Gate = {
  name: 'configuration',
  denies: (tool, { configuration }) => {
    if (!configuration) return null
    const { name, closed, allowed, allowedThen } = configuration
    if (closed) return closed.reason
    const what = `this tool or its group "${tool.group}"`
    if (!allowsTool(allowed, tool))
      return `The configuration ${name} does not allow ${what}. It allows ${accessWords(allowed)}.`
    if (allowsTool(allowedThen, tool)) return null
    return `The configuration ${name} did not allow ${what} when the run began. It allowed ${accessWords(allowedThen)}. Start the run again to use it.`
  },
  part: (_tool, { configuration }) => configuration?.closed?.part,
}

/** Gate 8: where the effective skills list tools, only those they list (SPEC G-S). */
export const skills: Gate = {
  name: 'skills',
  denies: (tool, { configuration }) => {
    const granted = configuration?.grantedBySkills
    if (!granted || isGranted(granted, tool.name)) return null
    const { name, task, limitingSkills } = configuration
    const whose = task === null ? name : `${name} and of the task ${task}`
    const narrowing = limitingSkills.filter((skill) => !isGranted(skill.allowedTools, tool.name))
    const names = new Intl.ListFormat('en').format(new Set(narrowing.map((skill) => skill.name)))
    const from = names && ` The limit comes from ${names}.`
    return granted.size === 0
      ? `The skills of ${whose} allow no tools at all.${from}`
      : `The skills of ${whose} do not list it under allowed-tools.${from}`
  },
}

/** Why a tool that starts runs is denied. */
const nestedWords = {
  panel: 'A member of a panel may not start runs. Start the run by itself to use it.',
  run: 'A run that another run started may not start runs itself.',
} as const

/**
 * Gate 9: the tools that the API key of this run may use, as it is now, and those picked for the run; picking none means
 * none. What starts runs is for runs that people, keys and schedules start, and not for those of a panel.
 */
export const selection: Gate = {
  name: 'selection',
  denies: (tool, { apiKey, selected, configuration }) => {
    const inside = tool.startsRuns && configuration?.startsNoRuns
    if (inside) return nestedWords[inside]
    const refused = apiKey && keyRefusesTool(apiKey, tool)
    if (refused !== null) return refused
    return selected === null || selected.has(tool.name)
      ? null
      : 'Not picked for this run. Pick this tool and run again.'
  },
  part: (tool, { apiKey, configuration }) => {
    if (tool.startsRuns && configuration?.startsNoRuns) return 'nested'
    return apiKey && keyRefusesTool(apiKey, tool) ? 'api-key' : undefined
  },
}

/** Gate 10: a server's tool that is not exactly what an admin accepted, and what the run began with. */
export const pinned: Gate = {
  name: 'pinned',
  denies: ({ name, server, pin }, { remote }) => {
    if (server === undefined) return null
    const state = remote.get(name)
    if (!state || state.held) return heldWords[state?.held ?? 'new']
    if (state.pin === pin) return null
    return 'An admin changed this tool after the run began. Start the run again to use it.'
  },
}

/** Reasons why a tool waits for a person. */
export const heldWords: Record<Held, string> = {
  new: 'Nobody accepted it yet. An admin can review it under Servers.',
  changed:
    'Its server changed the definition after an admin accepted it. Accept the new definition first.',
  unusable:
    'Its server changed the definition into one that cannot be checked. The server has to mend it; an admin can see why under Servers.',
}

/** Gate 11: a rule that refuses all calls. One that looks at arguments is asked before each call (SPEC G-D). */
export const rule: Gate = {
  name: 'rule',
  denies: (tool, subject) => {
    const refusing = subject.approvalRules.find(
      (each) =>
        each.action === 'deny' && each.conditions.length === 0 && ruleConcerns(each, tool, subject),
    )
    return refusing ? refusedBy(refusing) : null
  },
}

/** Gate 13: after what others can write, a configuration may refuse what writes (SPEC G-U). */
export const flow: Gate = {
  name: 'flow',
  denies: (tool, { configuration, untrustedReads }) => {
    if (configuration?.afterUntrusted !== 'refuse') return null
    if (tool.effect === 'read' || untrustedReads.length === 0) return null
    return `This run has read what others can write (with ${shownReads(untrustedReads)}), and the configuration ${configuration.name} refuses what writes after that. Start a run that writes before it reads, or an admin can change the configuration.`
  },
}

/** Gate 14: a server that is used with an account, which nobody connected or which it accepts no more. */
export const credentials: Gate = {
  name: 'credentials',
  denies: ({ server }, { accounts, actor }) => {
    const missing = server === undefined ? undefined : accounts.get(server)
    if (!missing || server === undefined) return null
    return accountWords(missing, server, actor?.email ?? 'The person of this run')
  },
}

/** Returns who has to do something so that a server's tools can be called, and what. */
function accountWords({ of, state }: MissingAccount, server: string, person: string): string {
  const isRefused = state === 'refused'
  if (of === 'person' && isRefused)
    return `${server} does not accept the account of ${person} any more. They have to sign in there again, in their account.`
  if (of === 'person')
    return `${person} has not connected ${server}. They can do that in their account, under connected accounts.`
  return isRefused
    ? `${server} does not accept the account of this site any more. An admin has to connect it again, on the page of the server.`
    : `This site has no account at ${server}. An admin can connect one, on the page of the server.`
}

/** The most sensitive data that may be sent to a provider of each zone (SPEC G7). */
const mostSensitive: Record<TrustZone, DataClass> = {
  local: 'secret-adjacent',
  private: 'diagnostics',
  'external-eu': 'internal-config',
  'external-global': 'content',
}

const sensitivity = (dataClass: DataClass): number => DataClass.options.indexOf(dataClass)

/** Returns what may be sent to a provider of `zone`, or what an admin raised it to: never less than the zone's own. */
export function dataLimit(zone: TrustZone, raised: DataClass | null): DataClass {
  const own = mostSensitive[zone]
  return raised !== null && sensitivity(raised) > sensitivity(own) ? raised : own
}

/** Returns whether data of this class may be sent where data up to `limit` may. */
export function isWithin(dataClass: DataClass, limit: DataClass): boolean {
  return sensitivity(dataClass) <= sensitivity(limit)
}

/** Returns "internal configuration". */
export function className(dataClass: DataClass): string {
  return inSentence(dataClassWords[dataClass])
}

/** Returns "OpenAI (external, global) may receive data up to content." */
export function receives(connectionName: string, zone: TrustZone, limit: DataClass): string {
  return `${connectionName} (${inSentence(zoneWords[zone])}) may receive data up to ${className(limit)}.`
}

/** Gate 7: what a tool returns may be seen by every provider of the run's chain, so the least trusted one decides. */
export const zone: Gate = {
  name: 'trust-zone',
  denies: (tool, { configuration }) => {
    if (!configuration) return null
    const { leastTrusted, raisedDataClass } = configuration
    const limit = dataLimit(leastTrusted.zone, raisedDataClass)
    if (isWithin(tool.dataClass, limit)) return null
    const { connectionName, zone } = leastTrusted
    return `It returns ${className(tool.dataClass)} data, and ${receives(connectionName, zone, limit)}`
  },
}
