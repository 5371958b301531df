import { added } from '@/lib/domains/api-keys/shared/limit-names'
import { parseSkill } from '@/lib/domains/skills/skill-file'
import { configurationsOf } from '@/lib/domains/tasks/shared/panel-of-task'
import { shownName, type Values } from '@/lib/edge/resource-values'
import { namePrefix } from '@/lib/engines/mcp/definition'
import { db } from '@/lib/kernel/db'
import { wordsOf } from '@/lib/protocol/nouns'
import {
  changedNames,
  everything,
  hasNeedlessNames,
  needlessNames,
} from '@/lib/protocol/tool-access'
import { defaultsOf } from '@/lib/shape/field-codec'
import type { Reference } from '@/lib/shape/field-shape'
import { type AnyResource, keyField, type ResourceFields } from '@/lib/shape/resource'
import { unfitFields } from '@/lib/shape/resource-parts'
import { groupOfServer } from '@/lib/toolset/servers/remote-tools'
import { installedTools } from '@/lib/toolset/tools/installed-tools'
import { didYouMean } from '@/lib/words/nearest-name'
import { findZoneProblems } from './connection-handler'
import { findTableProblems } from './data-source-handler'
import { entryKey } from './entry'
import type { Site } from './handler'
import { findRuleProblems } from './rule-handler'
import { type SiteFile, type SiteState, siteResources } from './site-file'

type Skills = readonly { name: string; source: string }[]

/** Returns the known reasons why a file cannot be applied, one sentence each. */
export async function findProblems(site: Site): Promise<string[]> {
  const skills = await db().skill.findMany({ select: { name: true, source: true } })
  const problems = new Set([
    ...(await findMissing(site, skills)),
    ...findForeignSkills(site.file, skills),
    ...findClosedModels(site),
    ...(await findZoneProblems(site)),
    ...findFixed(site),
    ...findUnfit(site),
    ...(await findRuleProblems(site)),
    ...findTableProblems(site),
  ])
  return [...problems]
}

/** Returns what a file refers to and what neither it nor this installation has. */
async function findMissing({ file, state }: Site, skills: Skills): Promise<string[]> {
  const has = await namesHere(file, state, skills)
  const problems: string[] = []
  const need = (what: keyof typeof has, name: string, who: string) => {
    if (has[what].has(name)) return
    const nearest = didYouMean(name, has[what])
    problems.push(
      `${who} needs the ${what} ${name}, which does not exist on this site. ${nearest}`.trimEnd(),
    )
  }
  for (const { connection, model } of file.models) {
    need('connection', connection, `The model ${model}`)
  }
  // The tools of a server that was not asked yet are not known.
  const serverNames = [...state.servers.keys(), ...file.servers.map(({ name }) => name)]
  const ofServers = new Set(serverNames.map(groupOfServer))
  const prefixes = serverNames.map(namePrefix)
  const mayBeOfServer = (tool: string) => prefixes.some((prefix) => tool.startsWith(prefix))
  for (const entry of file.configurations) {
    const { identifier, model, fallbacks = [], groups = [], skills: used = [] } = entry
    const who = `The configuration ${identifier}`
    const chain = model ? [model, ...fallbacks] : fallbacks
    for (const each of chain) need('model', entryKey('models', each), who)
    for (const name of groups) need('group', name, who)
    for (const { name } of used) need('skill', name, who)
    const here = state.configurations.get(identifier) ?? everything
    if (hasNeedlessNames(changedNames(here, entry))) problems.push(`${who}: ${needlessNames}`)
    for (const name of entry.allowedToolGroups ?? []) {
      if (!here.allowedToolGroups?.includes(name) && !ofServers.has(name))
        need('tool group', name, who)
    }
    for (const name of entry.allowedTools ?? []) {
      if (!here.allowedTools.includes(name) && !mayBeOfServer(name)) need('tool', name, who)
    }
  }
  for (const { what, names, isGone, who } of referencesOf({ file, state })) {
    for (const name of names) need(what, name, who)
    if (isGone) problems.push(`${who} needs ${articled(what)}.`)
  }
  for (const { identifier, panel } of file.tasks) {
    const here = state.tasks.get(identifier)?.panel
    const known = new Set(here ? configurationsOf(here) : [])
    for (const name of panel ? configurationsOf(panel) : []) {
      if (!known.has(name)) need('configuration', name, `The task ${identifier}`)
    }
  }
  for (const { name, tables = [] } of file.dataSources) {
    const named = tables.flatMap(({ groups }) => groups ?? [])
    for (const each of named) need('group', each, `The data source ${name}`)
  }
  for (const { name, tools, toolGroups } of file.groups) {
    const here = state.groups.get(name)
    const who = `The group ${name}`
    for (const each of added(tools ?? null, here?.tools ?? null)) need('tool', each, who)
    for (const each of added(toolGroups ?? null, here?.toolGroups ?? null))
      need('tool group', each, who)
  }
  for (const { name } of file.tools) need('tool', name, 'A switch under tools')
  for (const { name } of file.toolApprovals) need('tool', name, 'An entry under toolApprovals')
  for (const { name } of file.toolLimits) need('tool', name, 'A limit under toolLimits')
  for (const { name } of file.toolGroups) need('tool group', name, 'A switch under toolGroups')
  return problems
}

const referredWords = {
  configuration: 'configuration',
  task: 'task',
  user: 'account',
  group: 'group',
  skill: 'skill',
  'api-key': 'API key',
} as const

type Referred = {
  what: (typeof referredWords)[keyof typeof referredWords]
  names: string[]
  /** The file says that it refers to nothing any more, which only what was deleted does. */
  isGone: boolean
  who: string
}

/** Returns what the entries of resources refer to. */
function referencesOf(site: Site): Referred[] {
  return resourceEntries(site).flatMap(({ who, resource: { fields }, entry, before }) =>
    Object.values(fields).flatMap((field): Referred[] => {
      if (field.kind !== 'reference' || entry[field.as] === undefined) return []
      const said = entry[field.as]
      // A name that the stored object has already may stay, also that of a deleted account.
      const known = namesIn(field, before?.[field.as])
      const names = namesIn(field, said).filter((name) => !known.includes(name))
      const mayBeNone = field.schema.safeParse(null).success
      const isGone = said === null && before?.[field.as] !== null && !mayBeNone
      return [{ what: referredWords[field.to], names, isGone, who }]
    }),
  )
}

function namesIn({ isSwitched }: Reference, said: unknown): string[] {
  return [said ?? []].flat().map((each) => {
    const { name }: Values = isSwitched ? { ...Object(each) } : { name: each }
    return String(name)
  })
}

/** Returns the entries of resources that would change what stays as it was when the object was added. */
function findFixed(site: Site): string[] {
  return resourceEntries(site).flatMap(({ who, resource: { fields }, entry, before }) =>
    Object.entries(fields).flatMap(([name, { isFixed }]) => {
      const isOther = isFixed && before && entry[name] !== undefined && entry[name] !== before[name]
      if (!isOther) return []
      return [
        `${who} has another ${name} on this site, which cannot change. Give it another name in the file, or delete it on this site first.`,
      ]
    }),
  )
}

/** Returns the entries of resources that lack what their kind needs, or have what it does not have. Secrets may be missing. */
function findUnfit(site: Site): string[] {
  return resourceEntries(site).flatMap(({ who, resource, entry, before }) => {
    const { fields } = resource
    // An unchanged entry may be older than a rule.
    const isSame = Object.entries(entry).every(
      ([name, value]) => JSON.stringify(value) === JSON.stringify(before?.[name]),
    )
    if (isSame) return []
    const fixed = Object.entries(before ?? {}).filter(([name]) => fields[name]?.isFixed)
    const stays = { ...Object.fromEntries(fixed), enabled: false }
    const stored = { ...defaultsOf(fields), ...before }
    const said = {
      before: withReferred(fields, stored),
      given: withReferred(fields, { ...entry, ...stays }),
    }
    const errors = Object.entries(unfitFields(resource, said, new Set()))
    // Problems of references are reported separately.
    const own = errors.filter(
      ([name]) => (said.given[name] ?? null) === null || fields[name]?.kind !== 'reference',
    )
    return own.map(([name, message]) => `${who}, ${shownName(name, fields[name])}: ${message}`)
  })
}

/** Returns the values with what references are called also under the names of their fields, where rules look for them. */
function withReferred(fields: ResourceFields, values: Values): Values {
  const called = Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'reference' && values[field.as] !== undefined
      ? [[name, values[field.as]] as const]
      : [],
  )
  return { ...values, ...Object.fromEntries(called) }
}

type ResourceEntry = {
  who: string
  resource: AnyResource
  entry: Values
  before: Values | undefined
}

/** Returns the entries of resources, each with what is here. */
function resourceEntries({ file, state }: Site): ResourceEntry[] {
  // Object.entries loses the kinds; entries of all of them are plain values.
  const kinds = Object.entries(siteResources) as [keyof typeof siteResources, AnyResource][]
  return kinds.flatMap(([kind, resource]) => {
    const entries: readonly Values[] = file[kind]
    const here: ReadonlyMap<unknown, Values> = state[kind]
    return entries.map((entry) => {
      const key = entry[keyField(resource.fields) ?? 'name']
      return { who: `The ${wordsOf(resource).one} ${key}`, resource, entry, before: here.get(key) }
    })
  })
}

function articled(word: string): string {
  return `${/^a/i.test(word) ? 'an' : 'a'} ${word}`
}

async function namesHere(file: SiteFile, state: SiteState, skills: Skills) {
  const referred = referencesOf({ file, state })
  const namesOf = (to: Referred['what']) =>
    referred.flatMap(({ what, names }) => (what === to ? names : []))
  const [groups, tools, people, keys] = [
    await db().group.findMany({ select: { name: true } }),
    await installedTools(db()),
    await db().user.findMany({ where: { email: { in: namesOf('account') }, deletedAt: null } }),
    await db().apiKey.findMany({ where: { prefix: { in: namesOf('API key') } } }),
  ]
  return {
    connection: new Set([...state.connections.keys(), ...file.connections.map(({ name }) => name)]),
    model: new Set([
      ...state.models.keys(),
      ...file.models.map((model) => entryKey('models', model)),
    ]),
    skill: new Set([...skills, ...file.skills].map(({ name }) => name)),
    configuration: new Set([
      ...state.configurations.keys(),
      ...file.configurations.map(({ identifier }) => identifier),
    ]),
    task: new Set([...state.tasks.keys(), ...file.tasks.map(({ identifier }) => identifier)]),
    account: new Set(people.map(({ email }) => email)),
    group: new Set([...groups, ...file.groups].map(({ name }) => name)),
    'API key': new Set(keys.map(({ prefix }) => prefix)),
    tool: new Set(tools.map(({ name }) => name)),
    'tool group': new Set(tools.map(({ group }) => group)),
  }
}

/** Returns the entries whose text belongs to another skill, and the skills whose text a file cannot set. */
function findForeignSkills(file: SiteFile, skills: Skills): string[] {
  const ofFolder = new Set(
    skills.filter(({ source }) => source === 'folder').map(({ name }) => name),
  )
  return file.skills.flatMap(({ name, file: text }) => {
    const inside = parseSkill(Buffer.from(text)).name
    if (inside !== name)
      return [
        `The SKILL.md of the skill ${name} has the name ${inside}. Both names must be the same.`,
      ]
    if (!ofFolder.has(name)) return []
    return [`The skill ${name} comes from the skills folder of this site. Remove it from the file.`]
  })
}

type ModelName = { connection: string; model: string }

/**
 * Returns the configurations that begin to use a model which is switched off on this site and stays off, itself or its
 * connection; the console refuses that as well (`requireChain`). What the file adds or switches on is on before
 * configurations are written; what it switches off is switched off after them.
 */
function findClosedModels({ file, state }: Site): string[] {
  const connectionsOn = new Set(file.connections.filter(isOn).map(({ name }) => name))
  const modelsOn = new Set(file.models.filter(isOn).map((model) => entryKey('models', model)))
  const closedPart = (name: ModelName): string | null => {
    const { connection } = name
    if (state.connections.get(connection)?.enabled === false && !connectionsOn.has(connection)) {
      return `the connection ${connection}`
    }
    const key = entryKey('models', name)
    const isOff = state.models.get(key)?.enabled === false && !modelsOn.has(key)
    return isOff ? `the model ${key}` : null
  }
  return file.configurations.flatMap(({ identifier, model, fallbacks = [] }) => {
    const here = state.configurations.get(identifier)
    const known = new Set(here && [here.model, ...here.fallbacks].map(keyOf))
    return (model ? [model, ...fallbacks] : fallbacks).flatMap((name) => {
      const closed = known.has(keyOf(name)) ? null : closedPart(name)
      if (!closed) return []
      return [
        `The configuration ${identifier} needs ${closed}, which is switched off on this site. Switch it on first.`,
      ]
    })
  })
}

function isOn({ enabled }: { enabled?: boolean }): boolean {
  return enabled === true
}

function keyOf(name: ModelName): string {
  return entryKey('models', name)
}
