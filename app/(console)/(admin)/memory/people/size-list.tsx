'use client'
import type { MemorySize, SizeSortKey } from '@toolgate/server/domains/memory/schemas'
import { useState } from 'react'
import { removeNotes } from '@/app/(console)/memory/actions'
import { ActWithReason } from '@/components/forms/reason-dialog'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { RowLink } from '@/components/list/row-link'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatBytes, formatCount } from '@/lib/words/format'

/** Number of notes of a person with one configuration. */
type NamedSize = Omit<MemorySize, 'person'> & { person: { id: string; name: string } }

export function SizeList(props: { rows: NamedSize[]; address: ListAddress<SizeSortKey> }) {
  return (
    <DataTable
      label="Notes of people"
      columns={columns}
      rowKey={({ person, configuration }) => `${person.id} ${configuration.id}`}
      card={(size) => <Entry size={size} />}
      {...props}
    />
  )
}

const columns: Column<NamedSize, SizeSortKey>[] = [
  {
    key: 'person',
    head: 'Person',
    sort: 'text',
    className: 'min-w-48',
    cell: ({ person }) => (
      <RowLink href={`/users/${person.id}`}>
        <VisibleText text={person.name} />
      </RowLink>
    ),
  },
  {
    key: 'configuration',
    head: 'Configuration',
    sort: 'text',
    className: 'min-w-40',
    cell: ({ configuration }) => (
      <RowLink href={`/configurations/${configuration.id}`}>
        <VisibleText text={configuration.name} />
      </RowLink>
    ),
  },
  {
    key: 'notes',
    head: 'Notes',
    sort: 'number',
    figures: true,
    cell: ({ notes }) => formatCount(notes),
  },
  {
    key: 'size',
    head: 'Size',
    sort: 'number',
    figures: true,
    cell: ({ bytes }) => formatBytes(bytes),
  },
  {
    key: 'actions',
    head: <span className="sr-only">Actions</span>,
    acts: true,
    cell: (size) => <DeleteNotes size={size} />,
  },
]

/** Shows a row on a narrow screen. */
function Entry({ size }: { size: NamedSize }) {
  const { person, configuration, notes, bytes } = size
  return (
    <>
      <RowLink href={`/users/${person.id}`}>
        <VisibleText text={person.name} />
      </RowLink>
      <p className="text-muted text-sm [overflow-wrap:anywhere]">
        <VisibleText text={configuration.name} /> · {countOf(notes, 'note')}, {formatBytes(bytes)}
      </p>
      <DeleteNotes size={size} />
    </>
  )
}

function DeleteNotes({ size: { person, configuration, notes } }: { size: NamedSize }) {
  const [asks, setAsks] = useState(false)
  const count = countOf(notes, 'note')
  return (
    <>
      <Button size="sm" onClick={() => setAsks(true)}>
        Delete
        <span className="sr-only">
          {' '}
          the notes of {visibleText(person.name)} with {visibleText(configuration.name)}
        </span>
      </Button>
      {asks && (
        <ActWithReason
          title={`Delete ${count} of ${visibleText(person.name)}`}
          failed="The notes were not deleted"
          done={`Deleted ${count} of ${visibleText(person.name)}`}
          send={(reason) =>
            removeNotes({ userId: person.id, configuration: configuration.id, reason })
          }
          onClose={() => setAsks(false)}
        >
          This cannot be undone.
        </ActWithReason>
      )}
    </>
  )
}
