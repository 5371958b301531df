'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { sendAction, useDone } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import type { FileWriteDetail } from '@/lib/domains/workspaces/shape'
import type { ActionResult } from '@/lib/next/action'
import { TextChange } from './text-change'
import { VisibleText } from './visible-text'
import type { WriteActions } from './write-actions'

/** Shows what undoing a write changes, or why it cannot be undone, and undoes it. */
export function UndoDialog({
  read,
  undo,
  onClose,
}: {
  read: ActionResult<FileWriteDetail>
  undo: WriteActions['undoWrite']
  onClose: () => void
}) {
  const tellDone = useDone()
  const router = useRouter()
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const write = read.ok ? read.value : null
  const problem = read.ok ? read.value.refusal : read.error.message
  const confirm = async ({ id, path }: FileWriteDetail) => {
    setBusy(true)
    const result = await sendAction(() => undo({ writeId: id }))
    setBusy(false)
    if (!result.ok) return setError(result.error.message)
    tellDone({ title: `${path} is as it was before` })
    onClose()
    router.refresh()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Undo this write"
      description={write && <WriteWords write={write} />}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          {write && problem === null && (
            <Button variant="danger" loading={busy} onClick={() => void confirm(write)}>
              Undo this write
            </Button>
          )}
        </>
      }
    >
      {problem !== null && <ErrorNotice title="It cannot be undone">{problem}</ErrorNotice>}
      {error !== null && <ErrorNotice title="Not undone">{error}</ErrorNotice>}
      {write && problem === null && (
        <TextChange
          before={write.now ?? ''}
          after={write.before ?? ''}
          label="What undoing changes"
        />
      )}
    </Dialog>
  )
}

function WriteWords({ write: { path, workspace, before } }: { write: FileWriteDetail }) {
  return (
    <>
      <VisibleText text={path} /> in <VisibleText text={workspace.name} />{' '}
      {before === null ? 'did not exist before. It is deleted.' : 'becomes what it was.'}
    </>
  )
}
