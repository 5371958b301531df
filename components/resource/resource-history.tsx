import type { Values } from '@toolgate/server/edge/resource-values'
import Link from 'next/link'
import type { AuditEntryView } from '@/components/audit/audit-entry'
import { ChangeList, type ShownChange } from '@/components/audit/change-list'
import { Disclosure } from '@/components/trace/disclosure'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { factText } from '@/lib/shape/field-codec'
import type { ResourceField } from '@/lib/shape/field-shape'
import type { AnyResource } from '@/lib/shape/resource'
import { fieldCalled, hasField, isEmpty } from '@/lib/shape/resource-parts'
import { shownCharacters } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'

/** Author of an object, the newest entries of the audit about it, and their number. */
export type ObjectHistory = { addedBy: string; rows: readonly AuditEntryView[]; total: number }

type Described = Pick<AnyResource, 'noun' | 'fields' | 'acts'>

/** Shows who changed an object, when and why, and what changed by the labels of its fields. */
export function ResourceHistory({
  resource,
  id,
  history: { rows, total },
}: {
  resource: Described
  id: string
  history: Pick<ObjectHistory, 'rows' | 'total'>
}) {
  const href = `/audit?${new URLSearchParams({ objectType: resource.noun, objectId: id })}`
  return (
    <Section title="History">
      <ol className="divide-y rounded-md border bg-surface-1">
        {rows.map((entry) => (
          <li key={entry.id} className="flex flex-col gap-1 px-3 py-2">
            <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
              <p className="font-medium text-strong">{actWords(resource, entry.action)}</p>
              <p className="[overflow-wrap:anywhere]">
                by <VisibleText text={entry.actor} />
              </p>
              <RelativeTime at={entry.at} className="ml-auto text-muted text-sm" />
            </div>
            {entry.reason !== '' && (
              <p className="[overflow-wrap:anywhere]">
                “<VisibleText text={entry.reason} />”
              </p>
            )}
            <Changes resource={resource} entry={entry} />
          </li>
        ))}
      </ol>
      <Link href={href} className="w-fit text-link text-sm underline-offset-2 hover:underline">
        {total > rows.length ? `Show all ${countOf(total, 'entry', 'entries')}` : 'Show'} in the
        audit
      </Link>
    </Section>
  )
}

const usualActs: Readonly<Record<string, string>> = {
  create: 'Added',
  update: 'Changed',
  delete: 'Deleted',
  'switch-on': 'Switched on',
  'switch-off': 'Switched off',
}

function actWords(resource: Described, action: string): string {
  const act = actOf(resource, action)
  return resource.acts?.[act] ?? usualActs[act] ?? inWords(act)
}

/** Returns "switch-on" for the action `schedule.switch-on`. */
function actOf({ noun }: Described, action: string): string {
  return action.slice(noun.length + 1)
}

/**
 * Shows what an entry changed. What an object had as a whole opens on demand, a switch says enough by itself, and of an act that
 * changed nothing the values are those that it was done with, without the name.
 */
function Changes({ resource, entry }: { resource: Described; entry: AuditEntryView }) {
  const act = actOf(resource, entry.action)
  const isUsual = act in usualActs
  const changes = shownChanges(resource, entry).filter(({ field }) => isUsual || field !== 'name')
  if (changes.length === 0 || act.startsWith('switch-')) return null
  const isWhole = changes.every(({ before, after }) => before === null || after === null)
  if (!isWhole) return <ChangeList changes={changes} />
  if (!isUsual) return <ChangeList changes={changes.map((each) => ({ ...each, changed: null }))} />
  return (
    <Disclosure summary={countOf(changes.length, 'value')}>
      <ChangeList changes={changes} />
    </Disclosure>
  )
}

/** Returns what an entry changed as people read it. */
function shownChanges({ fields }: Described, { changes }: AuditEntryView): ShownChange[] {
  const valuesOf = (side: 'before' | 'after'): Values =>
    Object.fromEntries(
      changes.flatMap((change) =>
        change[side] === undefined ? [] : [[change.field, change[side]] as const],
      ),
    )
  const [old, now] = [valuesOf('before'), valuesOf('after')]
  return changes.flatMap(({ field: name, before, after, changed }): ShownChange[] => {
    const isNothing = [before, after].every((value) => isNone(value))
    if (!changed || isNothing) return []
    const field = fieldCalled(fields, name)
    if (field && isForeign(field, { ...old, ...now })) return []
    const textOf = (value: unknown, values: Values) => {
      if (value === undefined) return null
      if (field?.isSecret) return 'replaced'
      if (isNone(value)) return 'none'
      const isPlain = typeof value !== 'object' || Array.isArray(value)
      const text = field && isPlain ? factText(field, value, values) : plainText(value)
      return text.length > shownCharacters ? `${text.slice(0, shownCharacters)} …` : text
    }
    const label = field?.label ?? inWords(name)
    return [{ field: name, label, before: textOf(before, old), after: textOf(after, now), changed }]
  })
}

/** Returns whether an entry says of an object's kind that it does not have this field. */
function isForeign(field: ResourceField, values: Values): boolean {
  const isKnown = Object.keys(field.only ?? {}).every((name) => name in values)
  return isKnown && !hasField(field, values)
}

function isNone(value: unknown): boolean {
  return isEmpty(value) || (Array.isArray(value) && value.length === 0)
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns "Leads to" for `leadsTo` and `leads-to`. */
function inWords(name: string): string {
  const words = name.replace(/-/g, ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
