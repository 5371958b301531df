'use client'
import { useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import type { ActionError } from '@/lib/next/action'
import { testHere } from '../actions'
import { TestResult } from './test-result'

/** The model that is asked first; `price` is in words. */
export type TestedModel = { model: string; connection: string; price: string }

type Props = {
  configurationId: string
  name: string
  tested: TestedModel
  untestable: string | null
  onClose: () => void
}

/** Says what a test run may cost, then starts one short real run with the configuration. */
export function TestDialog({ configurationId, name, tested, untestable, onClose }: Props) {
  const [busy, setBusy] = useState(false)
  const [runId, setRunId] = useState<string | null>(null)
  const [error, setError] = useState<ActionError | null>(null)
  const start = async () => {
    setBusy(true)
    setError(null)
    const result = await sendAction(() => testHere({ id: configurationId }))
    setBusy(false)
    if (result.ok) setRunId(result.value.runId)
    else setError(result.error)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Test ${name}`}
      description={
        <>
          Sends one real request to {tested.model} at {tested.connection} ({tested.price}).
        </>
      }
      footer={
        <>
          <DialogClose asChild>
            <Button>Close</Button>
          </DialogClose>
          <Button variant="primary" loading={busy} disabled={untestable !== null} onClick={start}>
            {runId ? 'Test again' : 'Test'}
          </Button>
        </>
      }
    >
      {untestable && <p className="text-warning">{untestable}</p>}
      {error && <ErrorNotice title="Not started">{error.message}</ErrorNotice>}
      {runId && <TestResult key={runId} runId={runId} />}
    </Dialog>
  )
}
