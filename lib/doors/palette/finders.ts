import 'server-only'
import { wireOf } from '@/lib/domains/rows/column-names'
import { timesWords } from '@/lib/domains/schedules/shared/cron'
import { searchKindWords } from '@/lib/domains/search-endpoints/shared/search-kind'
import { db } from '@/lib/kernel/db'
import {
  kindsInPalette,
  type PaletteFound,
  type PaletteHit,
  type PaletteKind,
} from '@/lib/protocol/palette'
import { type Contains, found, type Query } from './query'

/** Maximum results of each kind. */
export const shown = 6
export const take = shown + 1
const byName = { orderBy: [{ name: 'asc' as const }, { id: 'asc' as const }], take }
const names = { id: true, name: true } as const

/** Finds the objects of one kind whose pages are for admins only. */
type Finder = (query: Query) => Promise<PaletteFound>

/**
 * Returns what finds the objects of a kind by their names. `parts`: where a word may stand;
 * `hintOf`: what is said beside a name.
 */
function named<W, Row extends { id: string; name: string }>(
  kind: PaletteKind,
  parts: (part: Contains) => W[],
  read: (where: ReturnType<typeof found<W>>) => Promise<Row[]>,
  hintOf: (row: Row) => string,
): Finder {
  return async (query) => {
    const rows = await read(found(query, kind, parts))
    const hits = rows.map((row): PaletteHit => {
      const { id, name: title } = row
      return {
        id,
        title,
        hint: hintOf(row).slice(0, 120),
        href: `${kindsInPalette[kind].list}/${id}`,
      }
    })
    return asFound(kind, hits)
  }
}

const byTheName = (part: Contains) => [{ name: part }]

/** In the order of the palette. */
const finderOf: Record<Exclude<PaletteKind, 'run' | 'conversation' | 'configuration'>, Finder> = {
  task: named(
    'task',
    (part) => [{ name: part }, { identifier: part }],
    (where) => db().task.findMany({ where, ...byName, select: { ...names, identifier: true } }),
    ({ identifier }) => identifier,
  ),
  schedule: named(
    'schedule',
    byTheName,
    (where) => db().schedule.findMany({ where, ...byName, omit: { prompt: true } }),
    (schedule) => timesWords(schedule),
  ),
  person: named(
    'person',
    (part) => [{ name: part }, { email: part }],
    (where) =>
      db().user.findMany({
        where: { AND: [{ deletedAt: null }, where] },
        ...byName,
        select: { ...names, email: true },
      }),
    ({ email }) => email,
  ),
  group: named(
    'group',
    byTheName,
    (where) => db().group.findMany({ where, ...byName }),
    ({ description }) => description,
  ),
  connection: named(
    'connection',
    (part) => [{ name: part }, { baseUrl: part }],
    (where) => db().connection.findMany({ where, ...byName, select: { ...names, wire: true } }),
    ({ wire }) => wireOf(wire),
  ),
  model: findModels,
  skill: named(
    'skill',
    byTheName,
    (where) => db().skill.findMany({ where, ...byName, select: names }),
    () => '',
  ),
  channel: named(
    'channel',
    byTheName,
    (where) =>
      db().channel.findMany({
        where,
        ...byName,
        select: { ...names, shownAddress: true, host: true },
      }),
    ({ shownAddress, host }) => shownAddress ?? host ?? '',
  ),
  workspace: named(
    'workspace',
    (part) => [{ name: part }, { folder: part }],
    (where) => db().workspace.findMany({ where, ...byName, select: { ...names, folder: true } }),
    ({ folder }) => folder,
  ),
  host: named(
    'host',
    (part) => [{ name: part }, { note: part }],
    (where) => db().host.findMany({ where, ...byName, select: { ...names, note: true } }),
    ({ note }) => note ?? '',
  ),
  'search-endpoint': named(
    'search-endpoint',
    byTheName,
    (where) => db().searchEndpoint.findMany({ where, ...byName, select: { ...names, kind: true } }),
    ({ kind }) => searchKindWords[kind],
  ),
  'data-source': named(
    'data-source',
    (part) => [{ name: part }, { note: part }],
    (where) => db().dataSource.findMany({ where, ...byName, select: { ...names, note: true } }),
    ({ note }) => note ?? '',
  ),
  program: named(
    'program',
    (part) => [{ name: part }, { path: part }],
    (where) => db().program.findMany({ where, ...byName, select: { ...names, path: true } }),
    ({ path }) => path,
  ),
  site: named(
    'site',
    (part) => [{ name: part }, { address: part }],
    (where) => db().site.findMany({ where, ...byName, select: { ...names, address: true } }),
    ({ address }) => address,
  ),
  storage: named(
    'storage',
    (part) => [{ name: part }, { note: part }],
    (where) => db().storage.findMany({ where, ...byName, select: { ...names, note: true } }),
    ({ note }) => note ?? '',
  ),
  server: named(
    'server',
    byTheName,
    (where) => db().server.findMany({ where, ...byName, select: { ...names, url: true } }),
    ({ url }) => url ?? '',
  ),
  'approval-rule': named(
    'approval-rule',
    byTheName,
    (where) => db().approvalRule.findMany({ where, ...byName, omit: { conditions: true } }),
    ({ toolName, toolGroup, serverName }) => toolName ?? toolGroup ?? serverName ?? '',
  ),
}

export const finders: readonly Finder[] = Object.values(finderOf)

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

/** Returns what is shown of what was found. */
export function asFound(kind: PaletteKind, hits: PaletteHit[]): PaletteFound {
  return { kind, hits: hits.slice(0, shown), more: hits.length > shown }
}
