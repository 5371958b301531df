import 'server-only'
import { visibleConfigurations } from '@/lib/domains/configurations/usable'
import { wireOf } from '@/lib/domains/rows/column-names'
import { visibleTasks } from '@/lib/domains/tasks/runnable'
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
import { type FoundRun, findRunsById, findRunsByPrompt } from '@/lib/runs/find-runs'
import type { ToolListing } from '@/lib/toolset/tool-listing'
import { listTools } from '@/lib/toolset/tool-verbs'
import { found, likePattern, parseQuery, type Query, tellingWords } from './query'

/** `runnable` are the tasks that the caller may run, `tools` those that they may switch. */
export type PaletteAnswer = {
  found: PaletteFound[]
  runnable: PaletteHit[]
  tools: ToolListing[]
}

const shown = 6
const take = shown + 1

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
    asked && admin ? findAdminThings(query) : [],
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

/** Finds the objects whose pages are for admins only. */
async function findAdminThings(query: Query): Promise<PaletteFound[]> {
  const [tasks, schedules, people, groups, connections, models, skills, channels, servers, rules] =
    await Promise.all([
      db().task.findMany({
        where: found(query, 'task', (part) => [{ name: part }, { identifier: part }]),
        ...byName,
        select: { id: true, name: true, identifier: true },
      }),
      db().schedule.findMany({
        where: found(query, 'schedule', (part) => [{ name: part }]),
        ...byName,
        select: { id: true, name: true, cron: true, timeZone: true },
      }),
      db().user.findMany({
        where: {
          AND: [
            { deletedAt: null },
            found(query, 'person', (part) => [{ name: part }, { email: part }]),
          ],
        },
        ...byName,
        select: { id: true, name: true, email: true },
      }),
      db().group.findMany({
        where: found(query, 'group', (part) => [{ name: part }]),
        ...byName,
        select: { id: true, name: true, description: true },
      }),
      db().connection.findMany({
        where: found(query, 'connection', (part) => [{ name: part }, { baseUrl: part }]),
        ...byName,
        select: { id: true, name: true, wire: true },
      }),
      db().model.findMany({
        where: found(query, 'model', (part) => [{ modelId: part }, { displayName: part }]),
        orderBy: [{ displayName: 'asc' }, { id: 'asc' }],
        take,
        select: {
          id: true,
          modelId: true,
          displayName: true,
          connection: { select: { name: true } },
        },
      }),
      db().skill.findMany({
        where: found(query, 'skill', (part) => [{ name: part }]),
        ...byName,
        select: { id: true, name: true },
      }),
      db().channel.findMany({
        where: found(query, 'channel', (part) => [{ name: part }]),
        ...byName,
        select: { id: true, name: true, shownAddress: true, host: true },
      }),
      db().server.findMany({
        where: found(query, 'server', (part) => [{ name: part }]),
        ...byName,
        select: { id: true, name: true, url: true },
      }),
      db().approvalRule.findMany({
        where: found(query, 'rule', (part) => [{ name: part }]),
        ...byName,
        select: { id: true, name: true, toolName: true, toolGroup: true },
      }),
    ])
  return [
    asFound(
      'task',
      tasks.map(({ id, name, identifier }) => hit('tasks', id, name, identifier)),
    ),
    asFound(
      'schedule',
      schedules.map((schedule) =>
        hit('schedules', schedule.id, schedule.name, timesWords(schedule)),
      ),
    ),
    asFound(
      'person',
      people.map(({ id, name, email }) => hit('users', id, name, email)),
    ),
    asFound(
      'group',
      groups.map(({ id, name, description }) => hit('groups', id, name, description)),
    ),
    asFound(
      'connection',
      connections.map(({ id, name, wire }) => hit('connections', id, name, wireOf(wire))),
    ),
    asFound(
      'model',
      models.map(({ id, displayName, modelId, connection }) =>
        hit('models', id, displayName, `${modelId} · ${connection.name}`),
      ),
    ),
    asFound(
      'skill',
      skills.map(({ id, name }) => hit('skills', id, name, '')),
    ),
    asFound(
      'channel',
      channels.map(({ id, name, shownAddress, host }) =>
        hit('channels', id, name, shownAddress ?? host ?? ''),
      ),
    ),
    asFound(
      'server',
      servers.map(({ id, name, url }) => hit('servers', id, name, url ?? '')),
    ),
    asFound(
      'rule',
      rules.map(({ id, name, toolName, toolGroup }) =>
        hit('approvals/rules', id, name, toolName ?? toolGroup ?? ''),
      ),
    ),
  ]
}

const byName = { orderBy: [{ name: 'asc' as const }, { id: 'asc' as const }], take }

function hit(folder: string, id: string, title: string, hint: string): PaletteHit {
  return { id, title, hint: hint.slice(0, 120), href: `/${folder}/${id}` }
}

function asFound(kind: PaletteKind, hits: PaletteHit[]): PaletteFound {
  return { kind, hits: hits.slice(0, shown), more: hits.length > shown }
}

const none = (kind: PaletteKind): PaletteFound => ({ kind, hits: [], more: false })
