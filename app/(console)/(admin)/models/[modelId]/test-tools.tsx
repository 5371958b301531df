'use client'
import { FlaskConical } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { StatePill } from '@/components/ui/state-pill'
import { WaitingTime } from '@/components/ui/waiting-time'
import type { ActionResult } from '@/lib/next/action'
import { visibleText } from '@/lib/words/clean-text'
import { formatCostMicroUsd, formatDuration, formatTokens } from '@/lib/words/format'
import { type testTools as send, testTools } from '../actions'

type Tested = Extract<Awaited<ReturnType<typeof send>>, { ok: true }>['value']

const pills = { confirmed: 'ok', unsupported: 'off', failed: 'error' } as const
const words = {
  confirmed: 'Calls tools',
  unsupported: 'No tool calling',
  failed: 'Not conclusive',
}

/** Says what the test costs, then sends one real request with one small tool. */
export function TestTools({ modelId, name }: { modelId: string; name: string }) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<ActionResult<Tested> | null>(null)
  const router = useRouter()
  const test = async () => {
    setBusy(true)
    setResult(await sendAction(() => testTools({ id: modelId })))
    setBusy(false)
    router.refresh()
  }
  const close = () => {
    setOpen(false)
    setResult(null)
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <FlaskConical className="size-4" aria-hidden />
        Test tool calling
      </Button>
      {open && (
        <Dialog
          open
          onOpenChange={(next) => !next && close()}
          title="Test tool calling"
          description={`Sends one short request to ${visibleText(name)}, which is billed.`}
          footer={
            <>
              {busy && <WaitingTime />}
              <DialogClose asChild>
                <Button>Close</Button>
              </DialogClose>
              <Button variant="primary" loading={busy} onClick={test}>
                {result ? 'Test again' : 'Test'}
              </Button>
            </>
          }
        >
          <div role="status">{result?.ok && <Outcome tested={result.value} />}</div>
          {result?.ok === false && (
            <ErrorNotice title="Not tested">{result.error.message}</ErrorNotice>
          )}
        </Dialog>
      )}
    </>
  )
}

function Outcome({ tested }: { tested: Tested }) {
  const { outcome, message, usage, costMicroUsd, latencyMs } = tested
  const facts = [
    usage && `${formatTokens(usage.inputTokens)} in`,
    usage && `${formatTokens(usage.outputTokens)} out`,
    usage && formatCostMicroUsd(costMicroUsd),
    formatDuration(latencyMs),
  ]
  return (
    <div className="flex flex-col gap-2">
      <p>
        <StatePill state={pills[outcome]}>{words[outcome]}</StatePill>
      </p>
      <p>{message}</p>
      <ul className="numeric flex flex-wrap gap-x-3 text-muted text-sm">
        {facts.filter(Boolean).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </div>
  )
}
