'use client'
import { Undo2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { createContext, useContext, useState } from 'react'
import { sendAction, useDone } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { lazyPart } from '@/components/ui/lazy-part'
import type { FileWriteDetail } from '@/lib/domains/workspaces/shape'
import type { ActionResult } from '@/lib/kernel/action'
import type { CallView } from '@/lib/protocol/round-view'
import { useTraceFacts } from './trace-context'
import { VisibleText } from './visible-text'

const TextChange = lazyPart(async () => (await import('./text-change')).TextChange)

type Call = { runId: string; callId: string }
type WriteId = { writeId: string }

/** The server actions that read and undo what tools wrote to files. */
type WriteActions = {
  readWrite: (input: WriteId) => Promise<ActionResult<FileWriteDetail>>
  findWrite: (input: Call) => Promise<ActionResult<FileWriteDetail>>
  undoWrite: (input: WriteId) => Promise<ActionResult<unknown>>
}

const WriteActionsContext = createContext<WriteActions | null>(null)
export const WriteActionsProvider = WriteActionsContext.Provider

const writingTools: ReadonlySet<string> = new Set(['edit_file', 'write_file'])

/** Shows the button that undoes what a call wrote to a file; nothing for other calls and for those that wrote nothing. */
export function UndoCall({ call: { name, callId, state } }: { call: CallView }) {
  const { runId } = useTraceFacts()
  if (!writingTools.has(name) || state.type !== 'ended') return null
  const { outcome } = state
  const mayHaveWritten =
    outcome.type === 'ok' ||
    outcome.type === 'unknown' ||
    outcome.type === 'timed-out' ||
    (outcome.type === 'failed' && outcome.code === 'not-as-approved')
  return mayHaveWritten && <UndoWrite of={{ runId, callId }} />
}

/** Shows what undoing a write would change, and undoes it. */
export function UndoWrite({ of }: { of: Call | WriteId }) {
  const actions = useContext(WriteActionsContext)
  const [read, setRead] = useState<ActionResult<FileWriteDetail> | null>(null)
  const [busy, setBusy] = useState(false)
  if (!actions) return null
  const ask = async () => {
    setBusy(true)
    setRead(
      await sendAction(() => ('writeId' in of ? actions.readWrite(of) : actions.findWrite(of))),
    )
    setBusy(false)
  }
  return (
    <>
      <Button size="sm" loading={busy} onClick={() => void ask()}>
        {!busy && <Undo2 className="size-4" aria-hidden />}
        Undo this write
      </Button>
      {read && <UndoDialog read={read} undo={actions.undoWrite} onClose={() => setRead(null)} />}
    </>
  )
}

function UndoDialog({
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
  const trouble = read.ok ? read.value.refusal : read.error.message
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
          {write && trouble === null && (
            <Button variant="danger" loading={busy} onClick={() => void confirm(write)}>
              Undo this write
            </Button>
          )}
        </>
      }
    >
      {trouble !== null && <ErrorNotice title="It cannot be undone">{trouble}</ErrorNotice>}
      {error !== null && <ErrorNotice title="It was not undone">{error}</ErrorNotice>}
      {write && trouble === null && (
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
      {before === null
        ? 'did not exist before. It is deleted.'
        : 'becomes what it was before this write.'}
    </>
  )
}
