import 'server-only'
import { approvalRules } from '@/lib/domains/approvals/shape'
import { channels } from '@/lib/domains/channels/shape'
import { visibleConfigurations } from '@/lib/domains/configurations/usable'
import { groups } from '@/lib/domains/groups/shape'
import { hosts } from '@/lib/domains/hosts/shape'
import { programs } from '@/lib/domains/programs/shape'
import { wireOf } from '@/lib/domains/rows/column-names'
import { schedules } from '@/lib/domains/schedules/shape'
import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { servers } from '@/lib/domains/servers/shape'
import { sites } from '@/lib/domains/sites/shape'
import { visibleTasks } from '@/lib/domains/tasks/runnable'
import { tasks } from '@/lib/domains/tasks/shape'
import { workspaces } from '@/lib/domains/workspaces/shape'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { timesWords } from '@/lib/protocol/cron'
import {
  matchesWords,
  type PaletteFound,
  type PaletteHit,
  type PaletteKind,
  toolWords,
} from '@/lib/protocol/palette'
import { pathOf } from '@/lib/protocol/resource'
import { searchKindWords } from '@/lib/protocol/search-kind'
import { type FoundRun, findRunsById, findRunsByPrompt } from '@/lib/runs/find-runs'
import type { ToolListing } from '@/lib/toolset/tool-listing'
import { listTools } from '@/lib/toolset/tool-verbs'
import { type Contains, found, likePattern, parseQuery, type Query, tellingWords } from './query'

/** `runnable` are the tasks that the caller may run, `tools` those that they may switch. */
export type PaletteAnswer = {
  found: PaletteFound[]
  runnable: PaletteHit[]
  tools: ToolListing[]
}

const shown = 6
const take = shown + 1
const byName = { orderBy: [{ name: 'asc' as const }, { id: 'asc' as const }], take }
const names = { id: true, name: true } as const

/**
 * Returns what the command palette shows for a query: at most six things of each kind that the caller may see. Members
 * find their own runs, and the configurations and tasks that are theirs. Nothing typed finds the newest runs and what
 * can be run.
 */
export async function searchConsole(ctx: Ctx, text: string): Promise<PaletteAnswer> {
  const query = parseQuery(text)
  const admin = ctx.actor.role === 'admin'
  const asked = query.words.length > 0
  const [runs, configurations, runnable, things, tools] = await Promise.all([
    findRuns(ctx, query),
    asked ? findConfigurations(ctx, query) : none('configuration'),
    findRunnable(ctx, query),
    asked && admin ? Promise.all(finders.map((find) => find(query))) : [],
    asked && admin ? findTools(ctx, query) : [],
  ])
  const all = [runs, configurations, ...things].filter(({ hits }) => hits.length > 0)
  return { found: all, runnable, tools }
}

async function findRuns(ctx: Ctx, query: Query): Promise<PaletteFound> {
  const patterns = tellingWords(query, 'run').map(likePattern)
  const [byId, byPrompt] = await Promise.all([
    query.ids ? findRunsById(ctx, { ids: query.ids, take }) : [],
    findRunsByPrompt(ctx, { patterns, take }),
  ])
  const known = new Set(byId.map(({ id }) => id))
  const runs = [...byId, ...byPrompt.filter(({ id }) => !known.has(id))]
  return asFound(
    'run',
    runs.map((run) => toRunHit(ctx, run)),
  )
}

function toRunHit(ctx: Ctx, { id, prompt, configuration, email }: FoundRun): PaletteHit {
  const hint = [configuration ?? '', ctx.actor.role === 'admin' ? email : '']
  return { id, title: prompt, hint: hint.filter(Boolean).join(' · '), href: `/runs/${id}` }
}

/** Finds configurations. Admins get to the page of each; members use theirs in the Playground. */
async function findConfigurations(ctx: Ctx, query: Query): Promise<PaletteFound> {
  const admin = ctx.actor.role === 'admin'
  const rows = await db().configuration.findMany({
    where: {
      AND: [
        admin ? {} : visibleConfigurations(ctx),
        found(query, 'configuration', (part) => [{ name: part }, { identifier: part }]),
      ],
    },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take,
    select: { id: true, name: true, identifier: true },
  })
  const hits = rows.map(({ id, name, identifier }) => {
    const href = admin ? `/configurations/${id}` : `/playground?configuration=${id}`
    return { id, title: name, hint: identifier, href }
  })
  return asFound('configuration', hits)
}

async function findRunnable(ctx: Ctx, query: Query): Promise<PaletteHit[]> {
  const rows = await db().task.findMany({
    where: {
      AND: [
        visibleTasks(ctx, visibleConfigurations(ctx)),
        found(query, 'task', (part) => [{ name: part }, { identifier: part }]),
      ],
    },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: shown,
    select: { id: true, name: true, identifier: true },
  })
  return rows.map(({ id, name, identifier }) => ({
    id,
    title: name,
    hint: identifier,
    href: `/playground?task=${id}`,
  }))
}

async function findTools(ctx: Ctx, { words }: Query): Promise<ToolListing[]> {
  const tools = await listTools(ctx, {})
  return tools
    .filter(({ name, group }) => matchesWords(words, `${name} ${group}`, toolWords))
    .slice(0, shown)
}

/** Finds the objects of one kind whose pages are for admins only. */
type Finder = (query: Query) => Promise<PaletteFound>

/**
 * Returns what finds the objects of a kind by their names. `path`: where their pages are; `parts`: where a word may stand;
 * `hintOf`: what is said beside a name.
 */
function named<W, Row extends { id: string; name: string }>(
  kind: PaletteKind,
  path: `/${string}`,
  parts: (part: Contains) => W[],
  read: (where: ReturnType<typeof found<W>>) => Promise<Row[]>,
  hintOf: (row: Row) => string,
): Finder {
  return async (query) => {
    const rows = await read(found(query, kind, parts))
    const hits = rows.map((row): PaletteHit => {
      const { id, name: title } = row
      return { id, title, hint: hintOf(row).slice(0, 120), href: `${path}/${id}` }
    })
    return asFound(kind, hits)
  }
}

const byTheName = (part: Contains) => [{ name: part }]

/** In the order of the palette. */
const finders: readonly Finder[] = [
  named(
    'task',
    pathOf(tasks),
    (part) => [{ name: part }, { identifier: part }],
    (where) => db().task.findMany({ where, ...byName, select: { ...names, identifier: true } }),
    ({ identifier }) => identifier,
  ),
  named(
    'schedule',
    pathOf(schedules),
    byTheName,
    (where) => db().schedule.findMany({ where, ...byName, omit: { prompt: true } }),
    (schedule) => timesWords(schedule),
  ),
  named(
    'person',
    '/users',
    (part) => [{ name: part }, { email: part }],
    (where) =>
      db().user.findMany({
        where: { AND: [{ deletedAt: null }, where] },
        ...byName,
        select: { ...names, email: true },
      }),
    ({ email }) => email,
  ),
  named(
    'group',
    pathOf(groups),
    byTheName,
    (where) => db().group.findMany({ where, ...byName }),
    ({ description }) => description,
  ),
  named(
    'connection',
    '/connections',
    (part) => [{ name: part }, { baseUrl: part }],
    (where) => db().connection.findMany({ where, ...byName, select: { ...names, wire: true } }),
    ({ wire }) => wireOf(wire),
  ),
  findModels,
  named(
    'skill',
    '/skills',
    byTheName,
    (where) => db().skill.findMany({ where, ...byName, select: names }),
    () => '',
  ),
  named(
    'channel',
    pathOf(channels),
    byTheName,
    (where) =>
      db().channel.findMany({
        where,
        ...byName,
        select: { ...names, shownAddress: true, host: true },
      }),
    ({ shownAddress, host }) => shownAddress ?? host ?? '',
  ),
  named(
    'workspace',
    pathOf(workspaces),
    (part) => [{ name: part }, { folder: part }],
    (where) => db().workspace.findMany({ where, ...byName, select: { ...names, folder: true } }),
    ({ folder }) => folder,
  ),
  named(
    'host',
    pathOf(hosts),
    (part) => [{ name: part }, { note: part }],
    (where) => db().host.findMany({ where, ...byName, select: { ...names, note: true } }),
    ({ note }) => note ?? '',
  ),
  named(
    'search-endpoint',
    pathOf(searchEndpoints),
    byTheName,
    (where) => db().searchEndpoint.findMany({ where, ...byName, select: { ...names, kind: true } }),
    ({ kind }) => searchKindWords[kind],
  ),
  named(
    'program',
    pathOf(programs),
    (part) => [{ name: part }, { path: part }],
    (where) => db().program.findMany({ where, ...byName, select: { ...names, path: true } }),
    ({ path }) => path,
  ),
  named(
    'site',
    pathOf(sites),
    (part) => [{ name: part }, { address: part }],
    (where) => db().site.findMany({ where, ...byName, select: { ...names, address: true } }),
    ({ address }) => address,
  ),
  named(
    'server',
    pathOf(servers),
    byTheName,
    (where) => db().server.findMany({ where, ...byName, select: { ...names, url: true } }),
    ({ url }) => url ?? '',
  ),
  named(
    'rule',
    pathOf(approvalRules),
    byTheName,
    (where) => db().approvalRule.findMany({ where, ...byName, omit: { conditions: true } }),
    ({ toolName, toolGroup, serverName }) => toolName ?? toolGroup ?? serverName ?? '',
  ),
]

async function findModels(query: Query): Promise<PaletteFound> {
  const models = await db().model.findMany({
    where: found(query, 'model', (part) => [{ modelId: part }, { displayName: part }]),
    orderBy: [{ displayName: 'asc' }, { id: 'asc' }],
    take,
    select: { id: true, modelId: true, displayName: true, connection: { select: { name: true } } },
  })
  const hits = models.map(({ id, displayName: title, modelId, connection }): PaletteHit => {
    return {
      id,
      title,
      hint: `${modelId} · ${connection.name}`.slice(0, 120),
      href: `/models/${id}`,
    }
  })
  return asFound('model', hits)
}

function asFound(kind: PaletteKind, hits: PaletteHit[]): PaletteFound {
  return { kind, hits: hits.slice(0, shown), more: hits.length > shown }
}

const none = (kind: PaletteKind): PaletteFound => ({ kind, hits: [], more: false })
