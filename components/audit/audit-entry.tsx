'use client'
import type { FieldChange } from '@toolgate/server/domains/audit/audit-diff'
import type { AuditRow } from '@toolgate/server/domains/audit/audit-row'
import Link from 'next/link'
import { Disclosure } from '@/components/trace/disclosure'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { auditWords, countedNoun, fieldWords } from '@/lib/domains/audit/shared/audit-words'
import { shownCharacters, visibleText } from '@/lib/words/clean-text'
import { countOf, formatCount, listMeaning, listWords } from '@/lib/words/format'
import { auditedObject } from './audited-object'
import { ChangeList } from './change-list'

const shownFields = 3
const shownNames = 3

export type AuditEntryView = Omit<AuditRow, 'before' | 'after'> & { changes: FieldChange[] }

/** Shows entries, newest first. Neighbours that one act wrote about several objects are one entry with its parts. */
export function AuditList({ entries }: { entries: readonly AuditEntryView[] }) {
  return (
    <ul className="divide-y rounded-md border bg-surface-1">
      {actsOf(entries).map((parts) => (
        <li key={parts[0].id}>
          {parts.length === 1 ? <AuditEntry entry={parts[0]} /> : <Act parts={parts} />}
        </li>
      ))}
    </ul>
  )
}

type Parts = [AuditEntryView, ...AuditEntryView[]]

/** Entries of one act were written so soon after one another. */
const actMs = 2_000

/** Returns the entries in the order they came. Those of one act with the same action are together, in the order in which it wrote them. */
function actsOf(entries: readonly AuditEntryView[]): Parts[] {
  const all: Parts[] = []
  let act = new Map<string, Parts>()
  let last: AuditEntryView | null = null
  for (const entry of entries) {
    if (last === null || !isSameAct(last, entry)) act = new Map()
    last = entry
    const key = JSON.stringify([entry.action, entry.objectType])
    const parts = act.get(key)
    if (parts) parts.unshift(entry)
    else {
      const begun: Parts = [entry]
      act.set(key, begun)
      all.push(begun)
    }
  }
  return all
}

function isSameAct(later: AuditEntryView, earlier: AuditEntryView): boolean {
  const isOnesOwn = (['actorId', 'actor', 'ipAddress', 'reason'] as const).every(
    (name) => later[name] === earlier[name],
  )
  const isChange = later.kind === 'change' && earlier.kind === 'change'
  return isOnesOwn && isChange && Date.parse(later.at) - Date.parse(earlier.at) <= actMs
}

function Act({ parts }: { parts: Parts }) {
  const [entry] = parts
  return (
    <article className="flex flex-col gap-1 px-3 py-2">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <Sentence entry={entry} times={parts.length} isOfOne={isOfOne(parts)} />
        <When entry={entry} />
      </div>
      <Why entry={entry} />
      <Disclosure summary={namesOf(parts)}>
        <ul className="divide-y rounded-md border bg-surface-1">
          {parts.map((part) => (
            <li key={part.id}>
              <AuditEntry entry={part} />
            </li>
          ))}
        </ul>
      </Disclosure>
    </article>
  )
}

function isOfOne(parts: Parts): boolean {
  return parts.every(({ objectId }) => objectId !== null && objectId === parts[0].objectId)
}

/** Names the first objects of an act, or counts its entries where all are about one. */
function namesOf(parts: Parts): string {
  const names = isOfOne(parts)
    ? []
    : parts.flatMap((part) => auditedObject(part).name ?? part.objectId ?? [])
  if (names.length === 0) return countOf(parts.length, 'entry', 'entries')
  const shown = names.slice(0, shownNames).map((name) => visibleText(name).slice(0, 60))
  const more = names.length - shownNames
  return `${shown.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`
}

/** Shows who did what to what, when, from where and why, and what changed, field by field. */
export function AuditEntry({ entry }: { entry: AuditEntryView }) {
  return (
    <article className="flex flex-col gap-1 px-3 py-2">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <Sentence entry={entry} />
        <When entry={entry} />
      </div>
      <Why entry={entry} />
      <Disclosure summary={summary(entry)}>
        <Facts entry={entry} />
        <Changes changes={entry.changes} objectType={entry.objectType} />
      </Disclosure>
    </article>
  )
}

function Why({ entry: { reason, kind } }: { entry: AuditEntryView }) {
  if (reason === '') return null
  const words = <VisibleText text={reason} />
  return (
    <p className="text-normal [overflow-wrap:anywhere]">
      {kind === 'refusal' ? words : <>“{words}”</>}
    </p>
  )
}

/** Shows when it happened. For a refusal that was repeated within an hour, also how often, and when last. */
function When({ entry: { count, at, lastAt } }: { entry: AuditEntryView }) {
  if (count === 1) return <RelativeTime at={at} className="ml-auto text-muted text-sm" />
  return (
    <p className="ml-auto text-muted text-sm">
      {formatCount(count)} times, last <RelativeTime at={lastAt ?? at} />
    </p>
  )
}

type Said = { entry: AuditEntryView; times?: number; isOfOne?: boolean }

/** Says who did what to what, with a link to the object's page. `isOfOne` = all `times` entries are about one object. */
function Sentence({ entry, times = 1, isOfOne = true }: Said) {
  const words = auditWords(entry.action) ?? { before: `${entry.action} `, after: '', noun: '' }
  const { before, after, noun } = words
  const isCounted = !isOfOne && noun !== ''
  return (
    <p className="min-w-0 text-normal [overflow-wrap:anywhere]">
      <span className="text-strong">
        <VisibleText text={entry.actor} />
      </span>{' '}
      {before}
      {after !== null && (isCounted ? countedNoun(times, noun) : noun)}
      {after !== null && !isCounted && <About entry={entry} />}
      {after !== null && !isCounted && !isOfOne && ` and ${formatCount(times - 1)} more`}
      {after}
      {(isOfOne || after === null) && times > 1 && `, ${formatCount(times)} times`}
    </p>
  )
}

function About({ entry }: { entry: AuditEntryView }) {
  const { name, href } = auditedObject(entry)
  const words = <VisibleText text={name ?? entry.objectId ?? entry.objectType} />
  if (href === null) return <span className="font-medium text-strong">{words}</span>
  return (
    <Link href={href} className="text-link underline-offset-2 hover:underline">
      {words}
    </Link>
  )
}

/** Says what was changed first; a click shows all of it. */
function summary({ objectType, changes }: AuditEntryView): string {
  const changed = changes.filter((change) => change.changed && !isUnsetFromStart(change))
  if (changed.length === 0) return objectType
  const shown = changed.slice(0, shownFields).map((change) => inShort(change, objectType))
  const more = changed.length - shownFields
  return `${objectType} · ${shown.join(', ')}${more > 0 ? `, ${formatCount(more)} more` : ''}`
}

/** Checks whether a new object has no value there, which says less than the fields that have one. */
function isUnsetFromStart({ before, after }: FieldChange): boolean {
  const isUnset = after === null || after === '' || (Array.isArray(after) && after.length === 0)
  return before === undefined && isUnset
}

function inShort({ field, before, after }: FieldChange, objectType: string): string {
  const [old, now] = [before, after].map((value) =>
    visibleText(fieldText({ field, value }, objectType)).slice(0, 40),
  )
  const name = visibleText(fieldWords(field)).slice(0, 60)
  if (before === undefined) return `${name}: ${now}`
  return after === undefined ? `${name} was ${old}` : `${name} changed from ${old} to ${now}`
}

function Facts({ entry }: { entry: AuditEntryView }) {
  const facts = [
    ['Action', entry.action],
    ['Object', entry.objectId ? `${entry.objectType} ${entry.objectId}` : entry.objectType],
    ['Address', entry.ipAddress ?? 'not known'],
    [entry.count > 1 ? 'First (UTC)' : 'Time (UTC)', entry.at],
    ...(entry.count > 1 && entry.lastAt ? [['Last (UTC)', entry.lastAt]] : []),
  ]
  return (
    <dl className="mb-2 flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {facts.map(([label, value]) => (
        <div key={label} className="flex gap-1.5">
          <dt className="text-muted">{label}</dt>
          <dd className="font-mono text-mono [overflow-wrap:anywhere]">
            <VisibleText text={value ?? ''} />
          </dd>
        </div>
      ))}
      {entry.objectId && (
        <div>
          <dt className="sr-only">Before and after</dt>
          <dd>
            <Link
              href={`/audit?${new URLSearchParams({ objectId: entry.objectId })}`}
              className="text-link underline-offset-2 hover:underline"
            >
              All entries for this object
            </Link>
          </dd>
        </div>
      )}
    </dl>
  )
}

function Changes({ changes, objectType }: Pick<AuditEntryView, 'changes' | 'objectType'>) {
  if (changes.length === 0) return <p className="text-muted">No details were recorded.</p>
  const text = (field: string, value: FieldChange['after']) =>
    value === undefined ? null : fieldText({ field, value }, objectType)
  return (
    <ChangeList
      changes={changes.map(({ field, before, after, changed }) => ({
        field,
        label: fieldWords(field),
        changed,
        before: text(field, before),
        after: text(field, after),
      }))}
    />
  )
}

/** The fields of a rule that match everything when they are not set. Old entries have the id of the configuration. */
const openParts: ReadonlySet<string> = new Set([
  'toolName',
  'toolGroup',
  'configuration',
  'configurationId',
])

/**
 * Returns a recorded value as people read it: text as it is, lists of texts one a line, everything else as JSON.
 * `null` and `[]` have words of their own, by what the field of this kind of object means.
 */
function fieldText(
  { field, value }: { field: string; value: FieldChange['after'] },
  objectType: string,
): string {
  const text = textOf(value ?? null, objectType, field.split('.').at(-1) ?? field)
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)} …` : text
}

function textOf(
  value: NonNullable<FieldChange['after']> | null,
  objectType: string,
  name: string,
): string {
  if (value === '') return 'empty'
  if (typeof value === 'string') return value
  if (value === null && objectType === 'approval-rule' && openParts.has(name)) return 'any'
  if (value === null || Array.isArray(value)) {
    const entries = value?.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    return listWords(listMeaning(objectType, name), entries ?? null, '\n')
  }
  return JSON.stringify(value, null, 2)
}
