import 'server-only'
import { wireOf } from '@/lib/domains/rows/column-names'
import { timesWords } from '@/lib/domains/schedules/shared/cron'
import { searchKindWords } from '@/lib/domains/search-endpoints/shared/search-kind'
import { db } from '@/lib/kernel/db'
import { nouns } from '@/lib/nouns'
import { describedNouns, type NounKey, type NounNames, nounsBeside } from '@/lib/protocol/nouns'
import {
  kindsInPalette,
  type PaletteFound,
  type PaletteHit,
  type PaletteKind,
} from '@/lib/protocol/palette'
import type { ResourceField } from '@/lib/shape/field-shape'
import { type AnyResource, jsonName } from '@/lib/shape/resource'
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

/** Finders of described nouns whose hint is not a field that a search looks at. */
const withOwnHint: Partial<Record<NounKey, Finder>> = {
  schedules: named(
    'schedule',
    byTheName,
    (where) => db().schedule.findMany({ where, ...byName, omit: { prompt: true } }),
    (schedule) => timesWords(schedule),
  ),
  groups: named(
    'group',
    byTheName,
    (where) => db().group.findMany({ where, ...byName }),
    ({ description }) => description,
  ),
  searchEndpoints: named(
    'search-endpoint',
    (part) => [{ name: part }, { address: part }],
    (where) => db().searchEndpoint.findMany({ where, ...byName, select: { ...names, kind: true } }),
    ({ kind }) => searchKindWords[kind],
  ),
  channels: named(
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
  servers: named(
    'server',
    byTheName,
    (where) => db().server.findMany({ where, ...byName, select: { ...names, url: true } }),
    ({ url }) => url ?? '',
  ),
  approvalRules: named(
    'approval-rule',
    byTheName,
    (where) => db().approvalRule.findMany({ where, ...byName, omit: { conditions: true } }),
    ({ toolName, toolGroup, serverName }) => toolName ?? toolGroup ?? serverName ?? '',
  ),
}

const furtherFinders = {
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
  connection: named(
    'connection',
    (part) => [{ name: part }, { baseUrl: part }],
    (where) => db().connection.findMany({ where, ...byName, select: { ...names, wire: true } }),
    ({ wire }) => wireOf(wire),
  ),
  skill: named(
    'skill',
    byTheName,
    (where) => db().skill.findMany({ where, ...byName, select: names }),
    () => '',
  ),
}

/** Returns the finders of described nouns, of those that the palette finds. */
function ofNouns(...keys: readonly NounKey[]): Finder[] {
  return keys.flatMap((key) => {
    const noun: NounNames = describedNouns[key]
    return noun.finds ? (withOwnHint[key] ?? finderOf(nouns[key].resource)) : []
  })
}

/** Returns what finds the objects of a noun by the texts that a search of their list looks at. The hint is the first beside the name. */
function finderOf({ noun, fields }: AnyResource): Finder {
  const columns = Object.keys(fields).filter((name) => isSearched(name, fields[name]))
  const [hint] = columns.filter((name) => name !== 'name')
  const select = Object.fromEntries(['id', ...columns].map((name) => [name, true]))
  return named(
    noun as PaletteKind,
    (part) => columns.map((column) => ({ [column]: part })),
    (where) => rowsOf(noun).findMany({ where, ...byName, select }),
    (row) => String((hint && row[hint]) ?? ''),
  )
}

function isSearched(name: string, field: ResourceField | undefined): boolean {
  if (name === 'name' || name === 'identifier') return true
  return field?.kind === 'text' && field.searched !== undefined && !field.isSecret
}

type Row = { id: string; name: string } & Readonly<Record<string, unknown>>
type Rows = { findMany: (query: object) => Promise<Row[]> }

/** Returns the table of a noun, whose columns are the fields of its resource. */
function rowsOf(noun: string): Rows {
  // The client has a property for each model, named as its noun.
  const tables = db() as unknown as Readonly<Record<string, Rows>>
  const table = tables[jsonName(noun.replaceAll('-', ' '))]
  if (!table) throw new Error(`There is no table of the noun ${noun}.`)
  return table
}

const [first, later] = [
  ['tasks', 'schedules', 'groups', 'channels', 'workspaces'],
  ['programs', 'sites', 'storages', 'servers', 'approvalRules'],
] as const satisfies NounKey[][]

/** In the order of the palette. */
export const finders: readonly Finder[] = [
  ...ofNouns('tasks', 'schedules'),
  furtherFinders.person,
  ...ofNouns('groups'),
  furtherFinders.connection,
  findModels,
  furtherFinders.skill,
  ...ofNouns('channels', 'workspaces'),
  ...ofNouns(...nounsBeside([...first, ...later])),
  ...ofNouns(...later),
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

/** Returns what is shown of what was found. */
export function asFound(kind: PaletteKind, hits: PaletteHit[]): PaletteFound {
  return { kind, hits: hits.slice(0, shown), more: hits.length > shown }
}
