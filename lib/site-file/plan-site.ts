import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { connectionHost } from '@/lib/domains/connections/shared/wire-address'
import { serverProblem } from '@/lib/domains/programs/place'
import type { Ctx } from '@/lib/kernel/context'
import { env } from '@/lib/kernel/env'
import { AppError, ValidationError } from '@/lib/kernel/errors'
import { configurationHandler } from './configuration-handler'
import { connectionHandler } from './connection-handler'
import { dataSourceHandler } from './data-source-handler'
import { asWritten, entryKey } from './entry'
import { findProblems } from './find-problems'
import { groupHandler } from './group-handler'
import type { FieldChange, Handler, Site, Work } from './handler'
import { modelHandler } from './model-handler'
import { parseSiteFile } from './parse-site-file'
import { resourceHandler } from './resource-handler'
import { ruleHandler } from './rule-handler'
import {
  type EntryOf,
  everyKind,
  type GivenOf,
  type Kind,
  laterResources,
  listKinds,
  type SiteFile,
  type SiteState,
  siteResources,
  type WrittenFile,
} from './site-file'
import { skillHandler } from './skill-handler'
import {
  toolApprovalHandler,
  toolGroupHandler,
  toolHandler,
  toolLimitHandler,
} from './tool-handlers'

/** One thing that a file changes here. `changes` of what is new have no before. */
export type SiteStep = {
  kind: Kind
  key: string
  type: 'create' | 'update'
  changes: FieldChange[]
}

/**
 * Changes that applying a file would make, in order. `onlyHere`: objects that the file does not name; they stay. With
 * `problems`, each a sentence, nothing can be applied.
 */
export type SitePlan = {
  steps: SiteStep[]
  onlyHere: { kind: Kind; key: string }[]
  problems: string[]
  /** Parts of the file that were read in another way than they are written, a sentence each. */
  notices: string[]
}

/** In the order in which one needs the other, behind what a file switches off. */
const kindsInOrder = everyKind([
  'toolGroups',
  'tools',
  'toolApprovals',
  'toolLimits',
  'groups',
  'skills',
  'connections',
  'models',
  'configurations',
  ...laterResources,
])

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

/** Compares a file with the site; changes nothing. Admins only. */
export async function planSite(ctx: Ctx, file: WrittenFile): Promise<SitePlan> {
  return (await compareSite(ctx, file)).plan
}

/** A plan, and what each of its steps takes, in the same order. */
type ComparedSite = { plan: SitePlan; works: Work[] }

/** Compares a file with the site, and also returns what applying the plan needs. Admins only. */
export async function compareSite(ctx: Ctx, file: WrittenFile): Promise<ComparedSite> {
  const state = await readSite(ctx)
  const meant = asMeant(file, state)
  const site = { file: meant.file, state }
  const problems = await findProblems(site)
  const plan: SitePlan = { steps: [], onlyHere: [], problems, notices: meant.notices }
  const compared: ComparedSite = { plan, works: [] }
  for (const kind of kindsInOrder) await compareKind(ctx, kind, site, compared)
  return compared
}

async function compareKind<K extends Kind>(
  ctx: Ctx,
  kind: K,
  site: Site,
  { plan, works }: ComparedSite,
): Promise<void> {
  const { unwritten, meant, consequences, work } = handlers[kind]
  const entries: GivenOf<K>[] = site.file[kind]
  const here = site.state[kind]
  const seen = new Set<string>()
  for (const written of entries) {
    const key = entryKey(kind, written)
    if (seen.has(key)) throw new ValidationError({ [kind]: `${key} is named twice.` })
    seen.add(key)
    const before = here.get(key) ?? unwritten?.(written) ?? null
    const { given, notice } = (await meant?.(ctx, written, before)) ?? { given: written }
    if (notice !== undefined) plan.notices.push(notice)
    const fieldChanges = differences(kind, before, given)
    const further = consequences?.({ before, given, changed: fieldsOf(fieldChanges) }, site) ?? []
    const changes = [...fieldChanges, ...further]
    if (before && changes.length === 0) continue
    plan.steps.push({ kind, key, type: before ? 'update' : 'create', changes })
    works.push(work({ before, given, changed: fieldsOf(changes) }))
  }
  for (const key of here.keys()) if (!seen.has(key)) plan.onlyHere.push({ kind, key })
}

function fieldsOf(changes: readonly FieldChange[]): ReadonlySet<string> {
  return new Set(changes.map(({ field }) => field))
}

/** Returns the differences of the fields that the file has. Fields that it leaves out stay unchanged. */
function differences<K extends Kind>(
  kind: K,
  before: EntryOf<K> | null,
  given: GivenOf<K>,
): FieldChange[] {
  const old = new Map<string, unknown>(Object.entries(before ?? {}))
  const rules: Rules<K> = { ...handlers[kind].becomes }
  return Object.entries(given).flatMap(([field, said]) => {
    if (said === undefined) return []
    if (!before) return [{ field, before: null, after: asWritten(field, said) }]
    const rule = rules[field]
    const [was, after] = [old.get(field), rule ? rule(before, given) : said]
    if ((ordered.has(field) ? sameText : same)(was, after)) return []
    return [
      {
        field,
        before: asWritten(field, without(field, was ?? null, after)),
        after: asWritten(field, without(field, after, was)),
      },
    ]
  })
}

const listed: ReadonlySet<string> = new Set(['prices', 'tables'])

/** Returns prices and opened tables without those that the other list also has. Returns other fields unchanged. */
function without(field: string, value: unknown, other: unknown): unknown {
  if (!listed.has(field) || !Array.isArray(value) || !Array.isArray(other)) return value
  return value.filter((each) => !other.some((known) => same(each, known)))
}

type Rules<K extends Kind> = {
  [field: string]: ((before: EntryOf<K>, given: GivenOf<K>) => unknown) | undefined
}

/** Fields in which the order of an object's keys counts: a model reads and writes properties in it. */
const ordered: ReadonlySet<string> = new Set(['outputSchema'])

function sameText(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Returns whether two plain JSON values are equal. The database keeps the keys of an object in another order. */
function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, inKeyOrder) === JSON.stringify(b, inKeyOrder)
}

function inKeyOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The handlers that follow from the resources. */
const described = Object.fromEntries(
  listKinds(siteResources).map((kind) => [kind, resourceHandler(kind)]),
  // Object.fromEntries loses the kinds.
) as unknown as { [K in keyof typeof siteResources]: Handler<K> }

/** One handler a kind. */
const handlers: { [K in Kind]: Handler<K> } = {
  ...described,
  groups: groupHandler,
  connections: connectionHandler,
  models: modelHandler,
  skills: skillHandler,
  configurations: configurationHandler,
  dataSources: dataSourceHandler,
  programs: { ...described.programs, meant: withoutSandbox },
  approvalRules: ruleHandler,
  tools: toolHandler,
  toolApprovals: toolApprovalHandler,
  toolLimits: toolLimitHandler,
  toolGroups: toolGroupHandler,
}

/** Reads a program that no sandbox would hold here as switched off, because only a person on the console says why it may run. */
async function withoutSandbox(
  _ctx: Ctx,
  given: GivenOf<'programs'>,
  before: EntryOf<'programs'> | null,
): Promise<{ given: GivenOf<'programs'>; notice: string } | null> {
  const { name, enabled = before?.enabled ?? true } = given
  const problem = enabled && before?.enabled !== true ? await serverProblem() : null
  if (problem === null) return null
  const stays = before ? 'stays' : 'is added'
  const notice = `The program ${name} ${stays} switched off. ${problem} Say on the console why it may run without one, then switch it on.`
  return { given: { ...given, enabled: false }, notice }
}

type Connection = GivenOf<'connections'>

/**
 * Returns a file of version 1 in the words of the current version. In version 1, the API type `openai` was Chat
 * Completions, which addresses other than OpenAI's own still use. `notices` say what was changed.
 */
function asMeant(
  file: WrittenFile,
  state: Pick<SiteState, 'connections'>,
): { file: SiteFile; notices: string[] } {
  if (file.version !== 1) return { file, notices: [] }
  const notices: string[] = []
  const connections = file.connections.map((given): Connection => {
    const { name, wire, baseUrl = state.connections.get(name)?.baseUrl ?? null } = given
    if (wire !== 'openai' || isOpenAi(baseUrl)) return given
    notices.push(
      `The connection ${name} is read as openai-compatible (Chat Completions): in files of version 1, openai at an address other than api.openai.com means that. In files of version 2, openai means Responses.`,
    )
    return { ...given, wire: 'openai-compatible' }
  })
  return { file: { ...file, connections }, notices }
}

function isOpenAi(baseUrl: string | null): boolean {
  return connectionHost({ wire: 'openai', baseUrl, settings: {} }) === 'api.openai.com'
}

/**
 * Differences between this site and the file that TOOLGATE_SITE_FILE names; `problem`: the reason why they are unknown.
 */
export type SiteDrift =
  | { type: 'compared'; path: string; text: string; plan: SitePlan }
  | { type: 'unknown'; path: string; problem: string }

/** Returns the differences to the file; null when no file is set. Admins only. */
export async function readDrift(ctx: Ctx): Promise<SiteDrift | null> {
  const path = env().TOOLGATE_SITE_FILE
  if (path === undefined) return null
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) {
    return { type: 'unknown', path, problem: 'It cannot be read. Check TOOLGATE_SITE_FILE.' }
  }
  try {
    return { type: 'compared', path, text, plan: await planSite(ctx, parseSiteFile(text)) }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { type: 'unknown', path, problem: error.message }
  }
}

/** Returns a hash of exactly these changes. */
export function planFingerprint({ steps }: Pick<SitePlan, 'steps'>): string {
  return createHash('sha256').update(JSON.stringify(steps)).digest('hex')
}
