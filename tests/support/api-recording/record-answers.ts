import { setTimeout as sleep } from 'node:timers/promises'
import { flushRefusals } from '@/lib/domains/audit/record-refusal'
import { answerRequest } from '../api-routes'
import { db } from '../fixture-db'
import { readSse } from '../read-sse'
import { changeSkillInFolder, type RecordedSite, writeFileOfWorkspace } from './recorded-site'
import { jsonText, stableTexts } from './stable-text'
import type { Step } from './steps'

/**
 * A request as it was asked, the status of its answer, and both as text with all that is different each time replaced.
 */
export type Exchange = { ask: string; status: number; text: string }

/** Sends requests one after the other, and returns what was answered and which changes the audit has of each. */
export async function recordAnswers(site: RecordedSite, script: Step[]): Promise<Exchange[]> {
  const stable = stableTexts(site.saved)
  const exchanges: Exchange[] = []
  let lastEntry = await newestEntry()
  for (const step of script) {
    if (step.before) await outside[step.before]()
    const { response, body } = await settled(site, step)
    saveValues(site.saved, step, body)
    const audit = await entriesAfter(lastEntry)
    lastEntry = audit.at(-1)?.id ?? lastEntry
    const parts = [
      `### ${step.ask} · ${step.as ?? 'admin'}`,
      ...requestWith(step).map((line) => `> ${line}`),
      `${response.status} ${headersText(response.headers)}`,
      ...(body === '' || step.ask.startsWith('HEAD ') ? [] : [bodyText(body, step.only)]),
      ...audit.map((entry) => `audit: ${entryText(entry)}`),
    ]
    exchanges.push({ ask: step.ask, status: response.status, text: stable(parts.join('\n')) })
  }
  return exchanges
}

/** Does what happens outside of the API before a step. */
export const outside: Record<NonNullable<Step['before']>, () => Promise<void>> = {
  'a skill changes in its folder': changeSkillInFolder,
  'a tool writes a file': writeFileOfWorkspace,
  'active runs ask their models': untilAllAsk,
}

/** Resolves when each run that goes on has begun a request. */
async function untilAllAsk(): Promise<void> {
  for (let left = 1_200; left > 0; left--) {
    const events = { none: { type: 'round-start' } }
    const silent = await db().run.count({
      where: { status: { in: ['queued', 'running'] }, events },
    })
    if (silent === 0) return
    await sleep(25)
  }
  throw new Error('A run did not ask its model.')
}

type Site = Pick<RecordedSite, 'headersOf' | 'saved'>
export type Answer = { response: Response; body: unknown }

/** Sends a step, again until its answer has the status that it waits for. */
export async function settled(site: Site, step: Step): Promise<Answer> {
  for (let left = 1_200; ; left--) {
    const answer = await send(site, step)
    const { status } = (answer.body ?? {}) as { status?: unknown }
    if (step.until === undefined || status === step.until) return answer
    if (left === 0) throw new Error(`${step.ask} is ${status}, not ${step.until}.`)
    await sleep(25)
  }
}

/** Sends a step once; `sender` = the headers of somebody else than the one it names. */
export async function send(
  { headersOf, saved }: Site,
  step: Step,
  sender = headersOf[step.as ?? 'admin'],
): Promise<Answer> {
  const fill = (text: string) =>
    text.replace(/\{([a-z ]+)\}/g, (whole, name) => saved.get(name) ?? whole)
  const [method = '', address] = step.ask.split(' ', 2)
  const path = fill(step.ask.slice(method.length + 1))
  if (address === undefined) throw new Error(`No address: ${step.ask}`)
  const given = Object.entries(step.headers ?? {}).map(([name, value]) => [name, fill(value)])
  const content = sentContent(step, fill)
  const response = await answerRequest(
    new Request(`http://localhost:3000/api/v1${path}`, {
      method,
      headers: {
        ...sender,
        ...(step.json !== undefined && { 'content-type': 'application/json' }),
        ...Object.fromEntries(given),
      },
      body: content,
    }),
  )
  return { response, body: await contentOf(response) }
}

function sentContent({ json, text, bytes }: Step, fill: (text: string) => string): BodyInit | null {
  if (json !== undefined) return fill(JSON.stringify(json))
  return bytes === undefined ? (text ?? null) : Buffer.from(bytes, 'base64')
}

/** Returns events as their types and the names of their fields. The number of pieces of a text varies. */
async function contentOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('json')) return response.json()
  if (!type.startsWith('text/event-stream') || !response.body) return response.text()
  const events = await readSse(response)
  return events.map(({ type: name, data }) => `${name}: ${Object.keys(data).toSorted().join(', ')}`)
}

/** Keeps the values of an answer that a step names for later ones. */
export function saveValues(
  saved: Map<string, string>,
  { ask, save = {} }: Step,
  body: unknown,
): void {
  for (const [name, path] of Object.entries(save)) {
    const value = path.split('.').reduce(memberOf, body)
    if (typeof value !== 'string') throw new Error(`${ask} answered no ${path}: ${jsonText(body)}`)
    saved.set(name, value)
  }
}

function memberOf(value: unknown, key: string): unknown {
  return value && typeof value === 'object' ? Reflect.get(value, key) : undefined
}

function requestWith({ json, text, bytes, headers, before }: Step): string[] {
  return [
    ...(before ? [`(before: ${before})`] : []),
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(json === undefined ? [] : [jsonText(json)]),
    ...(text === undefined ? [] : [JSON.stringify(text)]),
    ...(bytes === undefined ? [] : [`(base64) ${bytes}`]),
  ]
}

function headersText(headers: Headers): string {
  return [...headers].map(([name, value]) => `${name}: ${value}`).join(' · ')
}

function bodyText(body: unknown, only: string[] | undefined): string {
  const text = jsonText(only ? withOnly(body, new Set(only)) : body)
  const isShortProblem = memberOf(body, 'type') && memberOf(body, 'errors') === undefined
  return isShortProblem ? text.replace(/\n\s*/g, ' ') : text
}

/** Leaves out of every list of named things those with other names. */
function withOnly(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) {
    const kept = value.filter((item) => typeof item?.name !== 'string' || names.has(item.name))
    return kept.map((item) => withOnly(item, names))
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withOnly(part, names)]),
  )
}

type Entry = Awaited<ReturnType<typeof entriesAfter>>[number]

async function newestEntry(): Promise<string | null> {
  const newest = await db().auditEntry.findFirst({
    where: { refusalKey: null },
    orderBy: { id: 'desc' },
  })
  return newest?.id ?? null
}

function entriesAfter(id: string | null) {
  return db().auditEntry.findMany({
    where: { refusalKey: null, ...(id !== null && { id: { gt: id } }) },
    orderBy: { id: 'asc' },
  })
}

/** Returns who changed what, from what to what, and why. */
function entryText({
  actorLabel,
  action,
  objectType,
  objectId,
  before,
  after,
  reason,
}: Entry): string {
  const [old, now] = [before ?? {}, after ?? {}] as Record<string, unknown>[]
  const fields = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])]
  const changed = fields.filter(
    (name) => jsonText(old?.[name] ?? null) !== jsonText(now?.[name] ?? null),
  )
  const changes = changed.map((name) =>
    [name, jsonText(old?.[name] ?? null), '→', jsonText(now?.[name] ?? null)].join(' '),
  )
  const why = reason === '' ? [] : [`reason ${JSON.stringify(reason)}`]
  return [`${actorLabel} · ${action} · ${objectType} ${objectId}`, ...changes, ...why].join('\n  ')
}

/**
 * Returns what the audit has of the requests that were refused since the last time, and how often. Takes it out of the
 * audit, which counts in one row what is refused to one person beyond a number of different things in an hour.
 */
export async function recordRefusals({ saved }: RecordedSite): Promise<string> {
  await flushRefusals()
  const ofRefusals = { where: { refusalKey: { not: null } } }
  const rows = await db().auditEntry.findMany(ofRefusals)
  await db().auditEntry.deleteMany(ofRefusals)
  const counts = new Map<string, number>()
  for (const { actorLabel, action, objectType, objectId, reason, count } of rows) {
    const refusal = [actorLabel, action, `${objectType} ${objectId}`, reason].join(' · ')
    counts.set(refusal, (counts.get(refusal) ?? 0) + count)
  }
  const lines = [...counts].map(([refusal, count]) => `${count} times: ${refusal}`)
  return stableTexts(saved)(['### Refusals in the audit', ...lines.toSorted()].join('\n'))
}
