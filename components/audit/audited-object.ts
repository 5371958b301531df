import type { FieldChange } from '@toolgate/server/domains/audit/audit-diff'
import type { AuditRow } from '@toolgate/server/domains/audit/audit-row'
import { everyNoun, type NounNames, pathOf } from '@/lib/protocol/nouns'

type Entry = Pick<AuditRow, 'action' | 'objectType' | 'objectId'> & { changes: FieldChange[] }

/** `name` null = the entry does not say what it is called; `href` null = it has no page, or none any more. */
export type AuditedObject = { name: string | null; href: string | null }

type Page = (id: string, changes: FieldChange[]) => string | null
type Kind = { named: readonly string[]; page: Page | null }

function kindOf(noun: NounNames): Kind {
  return { named: noun.key === null ? [] : [noun.key], page: (id) => `${pathOf(noun)}/${id}` }
}

/** By type of object: the fields of an entry that hold its name, best first, and the object's page. */
const kinds: ReadonlyMap<string, Kind> = new Map([
  ...everyNoun.map((each) => [each.noun, kindOf(each)] as const),
  ['user', { named: ['email'], page: (id) => `/users/${id}` }],
  ['session', { named: ['email'], page: null }],
  ['api-key', { named: ['name'], page: null }],
  ['group', { named: ['group', 'name'], page: (id) => `/groups/${id}` }],
  ['configuration', { named: ['configuration', 'identifier'], page: configurationPage }],
  ['connection', { named: ['name'], page: (id) => `/connections/${id}` }],
  ['model', { named: ['modelId'], page: (id) => `/models/${id}` }],
  ['skill', { named: ['name'], page: (id) => `/skills/${id}` }],
  ['approval', { named: ['tool'], page: (_id, changes) => runPage(textOf('runId', changes)) }],
  ['asset', { named: ['path'], page: assetPage }],
  ['run', { named: [], page: (id) => runPage(id) }],
  ['conversation', { named: ['name'], page: (id) => runPage(id) }],
  ['panel', { named: [], page: (id) => `/runs/panels/${id}` }],
  ['run-view', { named: ['name'], page: null }],
  ['memory', { named: ['person', 'configuration'], page: null }],
] satisfies (readonly [string, Kind])[])
/** Types whose id is their name, and the page that shows them by it. */
const namedById = new Map<string, (id: string) => string | null>([
  ['tool', toolsPage],
  ['tool-group', toolsPage],
  ['setting', () => '/settings'],
  ['backup', () => '/settings/backups'],
  // The route or action that was refused.
  ...['page', 'action', 'route', 'link'].map((type) => [type, () => null] as const),
])

/** Returns the type and name of an entry's object in words, with the address of its page. */
export function auditedObject({ action, objectType, objectId, changes }: Entry): AuditedObject {
  const page = namedById.get(objectType)
  if (page) return { name: objectId, href: objectId && page(objectId) }
  const kind = kinds.get(objectType)
  if (!kind) return { name: null, href: null }
  const name = kind.named.map((field) => textOf(field, changes)).find((text) => text !== null)
  const isGone = action === `${objectType}.delete`
  const href = objectId && !isGone && kind.page ? kind.page(objectId, changes) : null
  return { name: name ?? null, href }
}

function toolsPage(id: string): string {
  return `/tools?${new URLSearchParams({ search: id })}`
}

function configurationPage(id: string): string {
  return `/configurations/${id}`
}

function assetPage(uid: string, changes: FieldChange[]): string | null {
  const storageId = textOf('storageId', changes)
  return storageId && `/resources/storages/${storageId}/assets/${uid}`
}

function runPage(id: string | null): string | null {
  return id && `/runs/${id}`
}

/** Returns the new value of a change, so that a renamed object is found under its new name. */
function textOf(wanted: string, changes: FieldChange[]): string | null {
  const change = changes.find(({ field }) => field === wanted)
  const value = change?.after ?? change?.before
  return typeof value === 'string' && value !== '' ? value : null
}
