'use client'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { IconButton } from '@/components/ui/icon-button'
import { removeBackup } from '../actions'

/** Deletes a backup after a question. */
export function DeleteBackup({ name }: { name: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton label={`Delete ${name}`} size="sm" onClick={() => setOpen(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      {isOpen && (
        <ConfirmDialog
          title="Delete this backup"
          failed="The backup was not deleted"
          done="Deleted the backup"
          send={() => removeBackup({ name })}
          onClose={() => setOpen(false)}
        >
          {name} cannot be restored any more.
        </ConfirmDialog>
      )}
    </>
  )
}
