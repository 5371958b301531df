'use client'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { Button } from '@/components/ui/button'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { removeNotes } from '../actions'

type OwnConfiguration = { id: string; name: string; notes: number }

/** Deletes all notes, or those with the configuration that the list is narrowed to. */
export function DeleteAllButton({
  configurations,
  chosen,
}: {
  configurations: readonly OwnConfiguration[]
  /** Null = all of them. */
  chosen: OwnConfiguration | null
}) {
  const [asks, setAsks] = useState(false)
  const among = chosen ? [chosen] : configurations
  const count = countOf(
    among.reduce((sum, { notes }) => sum + notes, 0),
    'note',
  )
  const title = chosen ? `Delete ${count} with ${visibleText(chosen.name)}` : `Delete all ${count}`
  return (
    <>
      <Button onClick={() => setAsks(true)}>Delete all</Button>
      {asks && (
        <ConfirmDialog
          title={title}
          failed="The notes were not deleted"
          done={`Deleted ${count}`}
          send={() => removeNotes(chosen ? { configuration: chosen.id } : {})}
          onClose={() => setAsks(false)}
        >
          This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  )
}
