import type { ReadList } from '@toolgate/server/edge/resource-list'
import type { ReactNode } from 'react'
import type { FilterField } from '@/components/forms/address-filter'
import type { Column, SortKind } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import { onOffField } from '@/components/list/filter-fields'
import { ListFrame } from '@/components/list/list-frame'
import { CardLink, RowLink } from '@/components/list/row-link'
import { VisibleText } from '@/components/trace/visible-text'
import { headingOf, pathOf, wordsOf } from '@/lib/protocol/nouns'
import { factText } from '@/lib/shape/field-codec'
import type { ResourceField } from '@/lib/shape/field-shape'
import {
  calledOf,
  type Definition,
  type ListingOf,
  type Resource,
  type SortKeyOf,
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

type Named = { id: string; name: string; identifier?: string }

/** Returns the column of the name, which links to the page of the object, with the identifier below it where there is one. */
export function nameColumn(head: string, resource: Definition) {
  return {
    key: 'name',
    head,
    sort: 'text',
    className: 'min-w-40 max-w-80 [overflow-wrap:anywhere]',
    cell: ({ id, name, identifier }: Named) => (
      <>
        <RowLink href={`${pathOf(resource)}/${id}`}>
          <VisibleText text={name} />
        </RowLink>
        {identifier !== undefined && <p className="font-mono text-mono text-muted">{identifier}</p>}
      </>
    ),
  } as const
}

/** Returns the column of a field that is one of the orders, as people read its value. */
export function fieldColumn<const K extends string>(
  fields: Readonly<Record<K, ResourceField>>,
  name: K,
  sort: SortKind,
) {
  const field: ResourceField = fields[name]
  return {
    key: name,
    head: field.label,
    sort,
    cell: (row: Readonly<Record<K, unknown>>) => <VisibleText text={factText(field, row[name])} />,
  }
}

/** The column that says whether an address may be in a private network. */
export const privateColumn = {
  key: 'private',
  head: 'Private network',
  cell: ({ privateAddressAllowed }: { privateAddressAllowed: boolean }) =>
    privateAddressAllowed ? 'allowed' : 'blocked',
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
  resource: Pick<Definition, 'nouns' | 'path'> & { fields: Switch }
  row: Switched
  send: Send
}) {
  return (
    <div className="flex items-start justify-between gap-3">
      <CardLink href={`${pathOf(resource)}/${row.id}`}>
        <VisibleText text={calledOf(row)} />
      </CardLink>
      <ResourceSwitch fields={resource.fields} send={send} row={row} />
    </div>
  )
}
