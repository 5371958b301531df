'use client'
import type { Conversation } from '@toolgate/server/runs/conversations/conversations'
import { Archive, ArchiveRestore, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useAct } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { VisibleText } from '@/components/trace/visible-text'
import { IconButton } from '@/components/ui/icon-button'
import { MenuButton } from '@/components/ui/menu-button'
import { RelativeTime } from '@/components/ui/relative-time'
import type { FieldShape } from '@/lib/shape/field-shape'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatCostMicroUsd, formatCount } from '@/lib/words/format'
import { archive, remove, rename, restore } from '../actions'

/** `isOwn`: only its person changes it. */
type Row = Conversation & { isOwn: boolean }

/** Shows conversations, each with what its person can do with it. */
export function ConversationList({
  rows,
  admin,
  address,
}: {
  rows: Row[]
  admin: boolean
  address: ListAddress
}) {
  return (
    <DataTable
      label="Conversations"
      columns={columns.filter(({ key }) => admin || key !== 'person')}
      rows={rows}
      address={address}
      rowKey={(row) => row.id}
      card={(row) => <Entry row={row} />}
    />
  )
}

const columns: Column<Row>[] = [
  {
    key: 'title',
    head: 'Conversation',
    className: 'min-w-56 max-w-96',
    cell: (row) => (
      <RowLink href={`/runs/${row.newest}`} className="line-clamp-2">
        <VisibleText text={row.title} />
      </RowLink>
    ),
  },
  {
    key: 'person',
    head: 'Person',
    className: 'min-w-40 max-w-48 [overflow-wrap:anywhere]',
    cell: (row) => <VisibleText text={row.userEmail} />,
  },
  { key: 'turns', head: 'Turns', figures: true, cell: (row) => formatCount(row.turns) },
  {
    key: 'tokens',
    head: 'Tokens in, cached, out',
    figures: true,
    className: 'whitespace-nowrap',
    cell: (row) => tokensOf(row),
  },
  {
    key: 'cost',
    head: 'Cost',
    figures: true,
    className: 'whitespace-nowrap',
    cell: (row) => formatCostMicroUsd(row.costMicroUsd),
  },
  {
    key: 'last',
    head: 'Last turn',
    className: 'whitespace-nowrap',
    cell: (row) => <RelativeTime at={row.lastAt} />,
  },
  {
    key: 'actions',
    head: <span className="sr-only">Actions</span>,
    acts: true,
    cell: (row) => row.isOwn && <Actions row={row} />,
  },
]

function tokensOf({ inputTokens, cachedInputTokens, outputTokens }: Row): string {
  return [inputTokens, cachedInputTokens, outputTokens].map(formatCount).join(', ')
}

function Entry({ row }: { row: Row }) {
  return (
    <div className="flex items-start justify-between gap-2">
      <div className="min-w-0">
        <CardLink href={`/runs/${row.newest}`}>
          <VisibleText text={row.title} />
        </CardLink>
        <p className="numeric text-muted text-sm">
          {countOf(row.turns, 'turn')}, {formatCostMicroUsd(row.costMicroUsd)},{' '}
          <RelativeTime at={row.lastAt} />
        </p>
      </div>
      {row.isOwn && <Actions row={row} />}
    </div>
  )
}

function Actions({ row: { id, title, archived } }: { row: Row }) {
  const { busy, act } = useAct()
  const [renaming, setRenaming] = useState(false)
  const name = visibleText(title)
  const about = `conversation ${id}`
  const putAway = (next: boolean) =>
    act(() => archive({ id, archived: next }), {
      failed: next ? `${name} was not archived` : `${name} is still archived`,
      done: next ? `Archived ${name}` : `Took back ${name}`,
      undo: () => archive({ id, archived: !next }),
      about,
    })
  const drop = () =>
    act(() => remove({ id }), {
      failed: `${name} was not deleted`,
      done: `Deleted ${name}. Its runs stay.`,
      undo: () => restore({ id }),
      about,
    })
  return (
    <div className="relative z-10 flex justify-end">
      <MenuButton
        entries={[
          { label: 'Rename', icon: Pencil, onSelect: () => setRenaming(true) },
          archived
            ? { label: 'Take back', icon: ArchiveRestore, onSelect: () => void putAway(false) }
            : { label: 'Archive', icon: Archive, onSelect: () => void putAway(true) },
          null,
          { label: 'Delete', icon: Trash2, onSelect: () => void drop() },
        ]}
      >
        <IconButton label={`Actions for ${name}`} loading={busy}>
          {!busy && <Ellipsis aria-hidden />}
        </IconButton>
      </MenuButton>
      {renaming && <RenameDialog id={id} title={title} onClose={() => setRenaming(false)} />}
    </div>
  )
}

const shape = {
  kind: 'text',
  label: 'Name',
  required: 'Enter a name.',
} as const satisfies FieldShape

function RenameDialog({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  const form = useActionForm({
    values: { title },
    send: ({ title: typed }) => rename({ id, title: typed }),
    done: 'Renamed',
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title="Rename conversation"
      button="Save"
      failed="Not renamed"
      onClose={onClose}
    >
      <FormField name="title" shape={shape} autoFocus />
    </FormDialog>
  )
}
