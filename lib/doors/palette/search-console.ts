import 'server-only'
import { visibleChecks } from '@/lib/domains/checks/reads'
import { visibleConfigurations } from '@/lib/domains/configurations/usable'
import { visibleTasks } from '@/lib/domains/tasks/runnable'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import {
  matchesWords,
  type PaletteFound,
  type PaletteHit,
  type PaletteKind,
  toolWords,
} from '@/lib/protocol/palette'
import { findConversations } from '@/lib/runs/conversations/conversations'
import { type FoundRun, findRunsById, findRunsByPrompt } from '@/lib/runs/lists/find-runs'
import type { ToolListing } from '@/lib/toolset/tools/tool-listing'
import { listTools } from '@/lib/toolset/tools/tool-verbs'
import { asFound, finders, shown, take } from './finders'
import { found, likePattern, parseQuery, type Query, tellingWords } from './query'

/** `runnable` are the tasks that the caller may run, `tools` those that they may switch. */
export type PaletteAnswer = {
  found: PaletteFound[]
  runnable: PaletteHit[]
  tools: ToolListing[]
}

/**
 * Returns what the command palette shows for a query: at most six things of each kind that the caller may see. Members
 * find their own runs, and the configurations and tasks that are theirs. Nothing typed finds the newest runs and what
 * can be run.
 */
export async function searchConsole(ctx: Ctx, text: string): Promise<PaletteAnswer> {
  const query = parseQuery(text)
  const admin = ctx.actor.role === 'admin'
  const hasWords = query.words.length > 0
  const [runs, talks, checks, configurations, runnable, things, tools] = await Promise.all([
    findRuns(ctx, query),
    hasWords ? findTalks(ctx, query) : none('conversation'),
    hasWords ? findChecks(ctx, query) : none('check'),
    hasWords ? findConfigurations(ctx, query) : none('configuration'),
    findRunnable(ctx, query),
    hasWords && admin ? Promise.all(finders.map((find) => find(query))) : [],
    hasWords && admin ? findTools(ctx, query) : [],
  ])
  const all = [runs, talks, checks, configurations, ...things].filter(({ hits }) => hits.length > 0)
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

/** Finds conversations by their titles. Each hit leads to its newest turn. */
async function findTalks(ctx: Ctx, query: Query): Promise<PaletteFound> {
  const patterns = tellingWords(query, 'conversation').map(likePattern)
  const rows = await findConversations(ctx, { patterns, take })
  const hits = rows.map(({ id, title, email, newest, archived }): PaletteHit => {
    const hint = [archived ? 'archived' : '', ctx.actor.role === 'admin' ? email : '']
    return { id, title, hint: hint.filter(Boolean).join(' · '), href: `/runs/${newest}` }
  })
  return asFound('conversation', hits)
}

/** Finds checks: members those that are theirs or were given to their groups. */
async function findChecks(ctx: Ctx, query: Query): Promise<PaletteFound> {
  const rows = await db().check.findMany({
    where: { AND: [visibleChecks(ctx), found(query, 'check', (part) => [{ name: part }])] },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take,
    select: {
      id: true,
      name: true,
      configurationName: true,
      configuration: { select: { name: true } },
    },
  })
  const hits = rows.map(({ id, name, configuration, configurationName }) => ({
    id,
    title: name,
    hint: configuration?.name ?? configurationName,
    href: `/checks/${id}`,
  }))
  return asFound('check', hits)
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

const none = (kind: PaletteKind): PaletteFound => ({ kind, hits: [], more: false })
