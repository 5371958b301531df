'use client'
import { NotebookPen, Plus, X } from 'lucide-react'
import Link from 'next/link'
import { useRef, useState } from 'react'
import { useAct } from '@/components/forms/use-act'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { lazyPart } from '@/components/ui/lazy-part'
import { RelativeTime } from '@/components/ui/relative-time'
import { markLimits, type RunNote } from '@/lib/protocol/run/run-marks'
import { visibleText } from '@/lib/words/clean-text'
import { changeMarks } from '../actions'

const AddTag = lazyPart(async () => (await import('./add-tag')).AddTag)
const NoteForm = lazyPart(async () => (await import('./note-form')).NoteForm)

type Props = {
  runId: string
  tags: readonly string[]
  note: RunNote | null
  /** Tags of other runs, which are suggested. */
  known: readonly string[]
}

/** Shows the tags and the note of a run, and changes them. */
export function RunMarks({ runId, tags, note, known }: Props) {
  const [editing, setEditing] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const close = () => {
    setEditing(false)
    requestAnimationFrame(() => edit.current?.focus())
  }
  return (
    <section aria-label="Tags and note" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Tags runId={runId} tags={tags} known={known} />
        {!editing && !note && (
          <Button
            ref={edit}
            size="sm"
            variant="ghost"
            onClick={() => setEditing(true)}
            {...NoteForm.soon}
          >
            <NotebookPen className="size-4" aria-hidden />
            Add note
          </Button>
        )}
      </div>
      {editing && <NoteForm runId={runId} text={note?.text ?? ''} onClose={close} />}
      {!editing && note && (
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 rounded-md border bg-surface-1 p-3">
          <div className="min-w-0">
            <p className="max-w-[72ch] whitespace-pre-wrap [overflow-wrap:anywhere]">
              <VisibleText text={note.text} />
            </p>
            <p className="text-muted text-sm [overflow-wrap:anywhere]">
              Note by <VisibleText text={note.by} />, <RelativeTime at={note.at} />
            </p>
          </div>
          <Button ref={edit} size="sm" onClick={() => setEditing(true)} {...NoteForm.soon}>
            <NotebookPen className="size-4" aria-hidden />
            Edit note
          </Button>
        </div>
      )}
    </section>
  )
}

function Tags({ runId, tags, known }: Omit<Props, 'note'>) {
  const { busy, act } = useAct()
  const [adding, setAdding] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const send = (change: 'add' | 'remove', tag: string) => {
    const [sent, back] =
      change === 'add'
        ? [{ addTags: [tag] }, { removeTags: [tag] }]
        : [{ removeTags: [tag] }, { addTags: [tag] }]
    const shown = visibleText(tag)
    return act(() => changeMarks({ runId, ...sent }), {
      failed: `The tag was not ${change === 'add' ? 'added' : 'removed'}`,
      done: `${change === 'add' ? 'Added' : 'Removed'} the tag ${shown}`,
      undo: () => changeMarks({ runId, ...back }),
      about: `tag ${tag} of ${runId}`,
    })
  }
  const close = (keepsFocus = false) => {
    setAdding(false)
    if (!keepsFocus) requestAnimationFrame(() => button.current?.focus())
  }
  const isFull = tags.length >= markLimits.tags
  return (
    <>
      {tags.length > 0 && (
        <ul aria-label="Tags" className="flex min-w-0 flex-wrap items-center gap-1.5">
          {tags.map((tag) => (
            <Tag key={tag} tag={tag} busy={busy} onRemove={() => void send('remove', tag)} />
          ))}
        </ul>
      )}
      {adding && !isFull && (
        <AddTag
          known={known.filter((tag) => !tags.includes(tag))}
          busy={busy}
          onAdd={(tag) => void send('add', tag)}
          onClose={close}
        />
      )}
      {!adding && !isFull && (
        <Button
          ref={button}
          size="sm"
          variant="ghost"
          onClick={() => setAdding(true)}
          {...AddTag.soon}
        >
          <Plus className="size-4" aria-hidden />
          Add tag
        </Button>
      )}
      {isFull && <span className="text-muted text-sm">{markLimits.tags} tags at most</span>}
    </>
  )
}

/** Shows one tag as a link to the runs that have it. */
function Tag({ tag, busy, onRemove }: { tag: string; busy: boolean; onRemove: () => void }) {
  return (
    <li className="inline-flex max-w-full items-center rounded-sm bg-off-soft font-medium text-off text-sm">
      <Link
        href={`/runs?${new URLSearchParams({ tag })}`}
        className="truncate rounded-sm py-0.5 pl-2 hover:underline pointer-coarse:py-2"
      >
        <VisibleText text={tag} />
      </Link>
      <button
        type="button"
        aria-label={`Remove the tag ${visibleText(tag)}`}
        aria-disabled={busy || undefined}
        onClick={() => !busy && onRemove()}
        className="grid size-6 place-items-center rounded-sm hover:text-strong pointer-coarse:size-9"
      >
        <X className="size-3.5" aria-hidden />
      </button>
    </li>
  )
}
