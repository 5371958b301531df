import type { Ctx } from '../context'
import { ValidationError } from '../errors'
import { entryKey } from './entry-key'
import { findProblems } from './find-problems'
import { handlers } from './handlers'
import type { EntryOf, GivenOf, Kind, SiteFile, SiteState } from './site-file'

export type FieldChange = { field: string; before: unknown; after: unknown }

/** One thing that a file changes here. `changes` of what is new have no before. */
export type SiteStep = {
  kind: Kind
  key: string
  type: 'create' | 'update'
  changes: FieldChange[]
}

/**
 * What applying a file would do, in its order. `onlyHere` is what the file does not name; it stays. With `problems`, each
 * a sentence, nothing can be applied.
 */
export type SitePlan = {
  steps: SiteStep[]
  onlyHere: { kind: Kind; key: string }[]
  problems: string[]
}

/** In the order in which one needs the other. */
const kindsInOrder = [
  'skills',
  'connections',
  'models',
  'configurations',
  'tasks',
  'toolGroups',
  'tools',
] as const satisfies Kind[]

/** Reads what is here, kind by kind, keyed as files are. Admins only. */
export async function readSite(ctx: Ctx): Promise<SiteState> {
  const state: Partial<Record<Kind, ReadonlyMap<string, unknown>>> = {}
  for (const kind of kindsInOrder) state[kind] = await readKind(ctx, kind)
  return state as SiteState
}

async function readKind<K extends Kind>(ctx: Ctx, kind: K): Promise<Map<string, EntryOf<K>>> {
  const entries = await handlers[kind].read(ctx)
  return new Map(entries.map((entry) => [entryKey(kind, entry), entry]))
}

/** Compares a file with what is here; changes nothing. Admins only. */
export async function planSite(ctx: Ctx, file: SiteFile): Promise<SitePlan> {
  const state = await readSite(ctx)
  const plan: SitePlan = { steps: [], onlyHere: [], problems: await findProblems(file, state) }
  for (const kind of kindsInOrder) planKind(kind, file, state, plan)
  return plan
}

function planKind<K extends Kind>(kind: K, file: SiteFile, state: SiteState, plan: SitePlan): void {
  const given: GivenOf<K>[] = file[kind]
  const here = state[kind]
  const seen = new Set<string>()
  for (const entry of given) {
    const key = entryKey(kind, entry)
    if (seen.has(key)) throw new ValidationError({ [kind]: `${key} is named twice.` })
    seen.add(key)
    const before = here.get(key)
    const changes = differences(before ?? null, entry)
    if (before && changes.length === 0) continue
    plan.steps.push({ kind, key, type: before ? 'update' : 'create', changes })
  }
  for (const key of here.keys()) if (!seen.has(key)) plan.onlyHere.push({ kind, key })
}

/** Only what the file says counts; what it leaves out stays. */
function differences(before: object | null, given: object): FieldChange[] {
  const old = new Map<string, unknown>(Object.entries(before ?? {}))
  return Object.entries(given).flatMap(([field, after]) => {
    const was = old.get(field)
    if (after === undefined || (before !== null && same(was, after))) return []
    return [{ field, before: was ?? null, after }]
  })
}

/** Values are plain JSON, and keys of objects stand in the order of their schema. */
function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
