'use client'
import type { MemoryNote, NoteSortKey } from '@toolgate/server/domains/memory/schemas'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { RowLink } from '@/components/list/row-link'
import { HiddenTextNote } from '@/components/trace/hidden-text-note'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { memoryLimits } from '@/lib/protocol/memory'
import type { FieldShape } from '@/lib/shape/field-shape'
import { visibleText } from '@/lib/words/clean-text'
import { formatCount } from '@/lib/words/format'
import { changeNote, removeNote } from '../actions'

export function NoteList(props: { rows: MemoryNote[]; address: ListAddress<NoteSortKey> }) {
  return (
    <DataTable
      label="Notes"
      columns={columns}
      rowKey={({ id }) => id}
      card={(note) => <Entry note={note} />}
      {...props}
    />
  )
}

const columns: Column<MemoryNote, NoteSortKey>[] = [
  {
    key: 'note',
    head: 'Note',
    className: 'min-w-64',
    cell: (note) => <NoteText note={note} />,
  },
  {
    key: 'configuration',
    head: 'Configuration',
    sort: 'text',
    className: 'max-w-48 [overflow-wrap:anywhere]',
    cell: ({ configuration }) => <VisibleText text={configuration.name} />,
  },
  {
    key: 'run',
    head: 'Written by',
    className: 'min-w-40 max-w-64',
    cell: (note) => <Writer note={note} you="You" />,
  },
  {
    key: 'changed',
    head: 'Changed',
    sort: 'time',
    className: 'whitespace-nowrap',
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
  },
  {
    key: 'actions',
    head: <span className="sr-only">Actions</span>,
    acts: true,
    cell: (note) => <NoteActions note={note} />,
  },
]

function NoteText({ note }: { note: MemoryNote }) {
  return (
    <>
      <p className="line-clamp-6 whitespace-pre-wrap text-strong [overflow-wrap:anywhere]">
        <VisibleText text={note.text} />
      </p>
      <HiddenTextNote of={note.text} />
    </>
  )
}

function Writer({ note: { run }, you }: { note: MemoryNote; you: string }) {
  if (run === null) return <span className="text-muted">{you}</span>
  return (
    <RowLink href={`/runs/${run.id}`}>
      <span className="line-clamp-2">
        <VisibleText text={run.prompt} />
      </span>
    </RowLink>
  )
}

/** Shows a note on a narrow screen. */
function Entry({ note }: { note: MemoryNote }) {
  return (
    <>
      <NoteText note={note} />
      <p className="text-muted text-sm [overflow-wrap:anywhere]">
        <VisibleText text={note.configuration.name} /> · <RelativeTime at={note.updatedAt} />
      </p>
      <p className="text-sm">
        Written by <Writer note={note} you="you" />
      </p>
      <NoteActions note={note} />
    </>
  )
}

/** Tells the buttons of notes apart for screen readers. */
const excerptCharacters = 60

function NoteActions({ note }: { note: MemoryNote }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const excerpt = visibleText(note.text.slice(0, excerptCharacters))
  return (
    <div className="flex gap-2">
      <Button size="sm" onClick={() => setOpen('edit')}>
        Edit<span className="sr-only"> {excerpt}</span>
      </Button>
      <Button size="sm" onClick={() => setOpen('delete')}>
        Delete<span className="sr-only"> {excerpt}</span>
      </Button>
      {open === 'edit' && <EditNote note={note} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title="Delete note"
          failed="The note was not deleted"
          done="Deleted the note"
          send={() => removeNote({ id: note.id })}
          onClose={close}
        >
          <q className="[overflow-wrap:anywhere]">{excerpt}</q> cannot be restored.
        </ConfirmDialog>
      )}
    </div>
  )
}

const text: FieldShape = {
  kind: 'textarea',
  label: 'Text',
  hint: `At most ${formatCount(memoryLimits.characters)} characters.`,
  rows: 6,
}

function EditNote({
  note: { id, text: before },
  onClose,
}: {
  note: MemoryNote
  onClose: () => void
}) {
  const form = useActionForm({
    values: { text: before },
    send: (typed) => changeNote({ id, ...typed }),
    done: 'Saved the note',
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title="Edit note"
      description="The note then names no run."
      button="Save"
      failed="The note was not saved"
      onClose={onClose}
    >
      <FormField name="text" shape={text} controlClass="max-h-96" />
    </FormDialog>
  )
}
