import type { ReadList } from '@toolgate/server/edge/resource-list'
import type { Values } from '@toolgate/server/edge/resource-values'
import { Fragment, type ReactNode } from 'react'
import type { FilterField } from '@/components/forms/address-filter'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import { onOffField } from '@/components/list/filter-fields'
import { ListFrame } from '@/components/list/list-frame'
import { CardLink, RowLink } from '@/components/list/row-link'
import { CodeText } from '@/components/trace/code-text'
import { VisibleText } from '@/components/trace/visible-text'
import { headingOf, type Named, pathOf, wordsOf } from '@/lib/protocol/nouns'
import type { ResourceField } from '@/lib/shape/field-shape'
import { cardText, listedFields, listedHead, listedText } from '@/lib/shape/listed-fields'
import {
  type AnyResource,
  calledOf,
  type Definition,
  type ListingOf,
  type Resource,
  type ResourceFields,
  type SortKeyOf,
  untyped,
} from '@/lib/shape/resource'
import { ResourceSwitch, type Send, type Switch, type Switched } from './resource-switch'

type Row<D extends Definition> = ListingOf<Resource<D>>

/** Shows the list of a resource: its filter, a table or cards, and the links to other pages. */
export function ResourceList<D extends Definition>({
  resource,
  list,
  filters = [],
  columns,
  card,
  searched,
  nothing,
}: {
  resource: Resource<D>
  list: ReadList<D>
  /** Further filters, between the search and the switch. */
  filters?: readonly FilterField[]
  columns: readonly Column<Row<D>, SortKeyOf<D>>[]
  /** Returns the card of a row for a narrow screen. */
  card: (row: Row<D>) => ReactNode
  /** The columns that the search looks at: "name and prompt". */
  searched: string
  /** Shown when there are none yet. */
  nothing: ReactNode
}) {
  const { rows, ...frame } = list
  const { one, many } = wordsOf(resource)
  const search: FilterField = { type: 'search', name: 'search', label: `Search ${many}` }
  return (
    <ListFrame
      searched={searched}
      nothing={nothing}
      {...frame}
      thing={one}
      fields={[search, ...filters, ...('enabled' in resource.fields ? [onOffField] : [])]}
    >
      <DataTable
        label={headingOf(resource)}
        rowKey={idOf}
        tableFrom="lg"
        rows={rows}
        columns={columns}
        card={card}
        address={list.address}
      />
    </ListFrame>
  )
}

function idOf(row: unknown): string {
  const { id }: Record<string, unknown> = { ...Object(row) }
  return String(id)
}

type NamedRow = { id: string; name?: string; title?: string; identifier?: string }

/** Returns the column of the name, which links to the page of the object, with the identifier below it where there is one. */
export function nameColumn(head: string, resource: Definition) {
  return {
    key: 'name',
    head,
    sort: 'text',
    className: 'min-w-40 max-w-80 [overflow-wrap:anywhere]',
    cell: ({ id, identifier, ...row }: NamedRow) => (
      <>
        <RowLink href={`${pathOf(resource)}/${id}`}>
          <VisibleText text={calledOf(row)} />
        </RowLink>
        {identifier !== undefined && <p className="font-mono text-mono text-muted">{identifier}</p>}
      </>
    ),
  } as const
}

/** Returns the column that switches an object on and off. */
export function switchColumn(fields: Switch, send: Send) {
  return {
    key: 'state',
    head: 'State',
    sort: 'switch',
    className: 'w-24',
    cell: (row: Switched) => <ResourceSwitch fields={fields} send={send} row={row} />,
  } as const
}

/** Shows the head of a card: what the object is called, which links to its page, and its switch. */
export function CardHead({
  resource,
  row,
  send,
}: {
  resource: AnyFields
  row: Values
  send: Send
}) {
  const { enabled } = resource.fields
  const called = calledOf(row)
  const id = String(row.id)
  return (
    <div className="flex items-start justify-between gap-3">
      <CardLink href={`${pathOf(resource)}/${id}`}>
        <VisibleText text={called} />
      </CardLink>
      {enabled?.kind === 'switch' && (
        <ResourceSwitch
          fields={{ enabled }}
          send={send}
          row={{ ...row, id, name: called, enabled: row.enabled === true }}
        />
      )}
    </div>
  )
}

type AnyFields = Pick<AnyResource, 'nouns' | 'path' | 'fields'>

/**
 * Returns the columns of a list: the switch, the name, and the fields that lists show. One of `own` replaces the field of its key;
 * the others stand before the groups that may use an object.
 */
export function resourceColumns<D extends Definition>(
  typed: Resource<D>,
  send: Send,
  own: readonly OwnColumn<D>[] = [],
): OwnColumn<D>[] {
  const { fields, sorts, ...named } = untyped(typed)
  const { enabled } = fields
  const fieldColumns = listedFields(fields).map(([name, field]) => {
    const replaced = own.find(({ key }) => key === name)
    return { field, column: replaced ?? fieldColumn([name, field], sorts) }
  })
  const isReference = ({ field }: { field: ResourceField }) => field.kind === 'reference'
  const columns = [
    ...(enabled?.kind === 'switch' ? [switchColumn({ enabled }, send)] : []),
    { ...nameColumn(nameHead(fields, named), typed), ...(!fields.name && { key: 'title' }) },
    ...fieldColumns.filter((each) => !isReference(each)).map(({ column }) => column),
    ...own.filter(({ key }) => fields[key]?.listed === undefined),
    ...fieldColumns.filter(isReference).map(({ column }) => column),
  ]
  // The fields of the resource are not known to the compiler here.
  return columns as unknown as OwnColumn<D>[]
}

export type OwnColumn<D extends Definition> = Column<Row<D>, SortKeyOf<D>>

/** Returns the head of the column with the names: what the field is called, or the noun where that says more. */
function nameHead({ name }: ResourceFields, named: Named): string {
  if (name && name.label !== 'Name') return name.label
  const { one } = wordsOf(named)
  return `${one.charAt(0).toUpperCase()}${one.slice(1)}`
}

function fieldColumn([name, field]: [string, ResourceField], sorts: readonly string[]) {
  return {
    key: name,
    head: listedHead(field),
    ...(sorts.includes(name) && { sort: 'text' as const }),
    className: 'max-w-96 [overflow-wrap:anywhere]',
    cell: (row: Values) => <ListedText field={field} text={listedText([name, field], row)} />,
  }
}

/** Shows the listed fields of an object on a card, and `more` after them. */
export function CardText({
  fields,
  row,
  more,
}: {
  fields: ResourceFields
  row: Values
  more: string | null | undefined
}) {
  const shown = listedFields(fields).filter((named) => cardText(named, row) !== '')
  if (shown.length === 0 && !more) return null
  return (
    <span className="text-muted text-sm [overflow-wrap:anywhere]">
      {shown.map(([name, field], index) => (
        <Fragment key={name}>
          {index > 0 && ' · '}
          <ListedText field={field} text={cardText([name, field], row)} />
        </Fragment>
      ))}
      {shown.length > 0 && more && ' · '}
      {more}
    </span>
  )
}

function ListedText({ field, text }: { field: ResourceField; text: string }) {
  if (!('mono' in field && field.mono)) return <VisibleText text={text} />
  return <CodeText text={text} />
}
