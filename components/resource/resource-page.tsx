import type { Values } from '@toolgate/server/edge/resource-values'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { PageHead } from '@/components/shell/page-head'
import { CodeText } from '@/components/trace/code-text'
import { VisibleText } from '@/components/trace/visible-text'
import { Card } from '@/components/ui/card'
import { Fact } from '@/components/ui/fact'
import { PageFrame } from '@/components/ui/page-frame'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { factText } from '@/lib/shape/field-codec'
import type { Reference, ResourceField } from '@/lib/shape/field-shape'
import { shownOfSecret } from '@/lib/shape/listed-fields'
import {
  calledOf,
  type Definition,
  type DetailOf,
  type Resource,
  untyped,
} from '@/lib/shape/resource'
import { hasField, missingFields } from '@/lib/shape/resource-parts'
import { type ObjectHistory, ResourceHistory } from './resource-history'
import { ResourceSwitch, type Send } from './resource-switch'

/**
 * Facts of an object, by the names of its fields or under labels of their own. The fact of a field replaces what the shape makes
 * of it; null = it is not shown.
 */
export type OwnFacts = Readonly<Record<string, ReactNode>>

/**
 * Shows the page of one object: its name, switch and buttons, what its fields have, sections of its own, and its history.
 */
export function ResourcePage<D extends Definition>({
  resource: typed,
  object,
  history,
  change,
  actions,
  facts = {},
  index,
  children,
}: {
  resource: Resource<D>
  object: DetailOf<Resource<D>>
  history: ObjectHistory
  /** Switches it. */
  change: Send
  actions: ReactNode
  facts?: OwnFacts
  /** A `SideIndex`, for pages that are long. */
  index?: ReactNode
  children?: ReactNode
}) {
  const resource = untyped(typed)
  const row: Values = { ...object }
  const [id, fields] = [String(row.id), Object.entries(resource.fields)]
  const shown = fields.filter(
    ([name, field]) => name !== 'name' && field.kind !== 'switch' && hasField(field, row),
  )
  const missing = new Set(missingFields(resource.fields, row, secretsOf(row)).map(([name]) => name))
  const own = Object.entries(facts).filter(([label]) => !(label in resource.fields))
  return (
    <PageFrame kind="detail" index={index}>
      <PageHead
        title={<VisibleText text={calledOf(row)} />}
        action={actions}
        state={fields.map(
          ([name, field]) =>
            field.kind === 'switch' && (
              <ResourceSwitch
                key={name}
                fields={{ enabled: field }}
                send={change}
                row={{ id, name: calledOf(row), enabled: row.enabled === true }}
              />
            ),
        )}
      >
        Added by <VisibleText text={history.addedBy} />, changed{' '}
        <RelativeTime at={String(row.updatedAt)} />
      </PageHead>
      <Card className="p-3">
        <dl className="flex flex-wrap gap-x-8 gap-y-3">
          {shown.map(([name, field]) => {
            const value = name in facts ? facts[name] : shownValue([name, field], row, missing)
            if (isLong(field) || value === null) return null
            return (
              <Fact key={name} label={field.label}>
                {value}
              </Fact>
            )
          })}
          {own.map(([label, value]) => (
            <Fact key={label} label={label}>
              {value}
            </Fact>
          ))}
        </dl>
      </Card>
      {shown.map(
        ([name, field]) =>
          isLong(field) &&
          longText(field, row[name]) !== '' && (
            <Section key={name} title={field.label}>
              <p className="max-w-[80ch] whitespace-pre-wrap [overflow-wrap:anywhere]">
                <VisibleText text={longText(field, row[name])} />
              </p>
            </Section>
          ),
      )}
      {children}
      <ResourceHistory resource={resource} id={id} history={history} />
    </PageFrame>
  )
}

/** Returns whether a field has a section of its own. */
function isLong({ kind, isSecret }: ResourceField): boolean {
  return kind === 'textarea' && !isSecret
}

/** Returns the text of a field with a section of its own, or what people read where nothing is given; "" = nothing. */
function longText(field: ResourceField, value: unknown): string {
  return factText(field, value) || ('none' in field && field.none) || ''
}

/** Returns what is shown of a field; null = nothing is given in it, and nothing has to be. */
function shownValue(
  [name, field]: [string, ResourceField],
  row: Values,
  missing: ReadonlySet<string>,
): ReactNode {
  if (field.kind === 'reference') return <Referred field={field} to={row[field.as]} />
  if (missing.has(name)) return <span className="text-warning">not entered yet</span>
  if (field.isSecret) {
    const shown = shownOfSecret(field, row)
    if (shown !== '') return <VisibleText text={shown} />
    return secretsOf(row).has(name) ? 'stored, never shown' : null
  }
  const text = factText(field, row[name], row)
  if (text === '') return null
  if (!('mono' in field && field.mono)) return <VisibleText text={text} />
  return <CodeText text={text} />
}

function secretsOf({ secrets = [] }: Values): ReadonlySet<string> {
  return new Set([secrets].flat().map(String))
}

const pages: Record<Reference['to'], string> = {
  configuration: '/configurations',
  task: '/tasks',
  user: '/users',
  group: '/groups',
  skill: '/skills',
  'api-key': '/account',
}

/** Shows what a reference names, with links to its page. */
function Referred({ field, to }: { field: Reference; to: unknown }) {
  const all = [to ?? []].flat().map((each): Values => ({ ...Object(each) }))
  const none = field.none ?? (field.isMany || field.isSwitched ? 'none' : null)
  if (all.length === 0 && none !== null) return <span className="text-muted">{none}</span>
  if (all.length === 0) return <span className="text-error">deleted</span>
  return all.map(({ id, name, email }, index) => (
    <span key={String(id)}>
      {index > 0 && ', '}
      <Link
        href={`${pages[field.to]}/${id}`}
        className="text-link underline-offset-2 hover:underline"
      >
        <VisibleText text={String(name ?? email)} />
      </Link>
    </span>
  ))
}
