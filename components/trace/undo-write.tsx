'use client'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { lazyPart } from '@/components/ui/lazy-part'
import type { FileWriteDetail } from '@/lib/domains/workspaces/shape'
import type { ActionResult } from '@/lib/next/action'
import type { CallView } from '@/lib/protocol/run/round-view'
import { useTraceFacts } from './trace-context'
import { useWriteActions, type WriteId, type WritingCall } from './write-actions'

const UndoDialog = lazyPart(async () => (await import('./undo-dialog')).UndoDialog)

const writingTools: ReadonlySet<string> = new Set(['edit_file', 'write_file'])

/** Shows the button that undoes what a call wrote to a file; nothing for other calls and for those that wrote nothing. */
export function UndoCall({ call: { name, callId, state, round } }: { call: CallView }) {
  const { runId, fork } = useTraceFacts()
  const isLive = !fork || (round > fork.copiedThrough && fork.sources[name]?.type === 'live')
  if (!isLive || !writingTools.has(name) || state.type !== 'ended') return null
  const { outcome } = state
  const mayHaveWritten =
    outcome.type === 'ok' ||
    outcome.type === 'unknown' ||
    outcome.type === 'timed-out' ||
    (outcome.type === 'failed' && outcome.code === 'not-as-approved')
  return mayHaveWritten && <UndoWrite of={{ runId, callId }} />
}

/** Shows what undoing a write would change, and undoes it. */
export function UndoWrite({ of }: { of: WritingCall | WriteId }) {
  const actions = useWriteActions()
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
      <Button size="sm" {...UndoDialog.soon} loading={busy} onClick={() => void ask()}>
        {!busy && <Undo2 className="size-4" aria-hidden />}
        Undo this write
      </Button>
      {read && <UndoDialog read={read} undo={actions.undoWrite} onClose={() => setRead(null)} />}
    </>
  )
}
