'use client'
import { RefreshCw } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { countOf } from '@/lib/protocol/format'
import type { CheckOutcome } from '@/lib/toolset/servers/check'
import { checkServerNow } from '../actions'

/** Connects to a server, reads its tools, and shows what passed between it and Toolgate. */
export function CheckServer({ id, isNew }: { id: string; isNew: boolean }) {
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<CheckOutcome | { failed: string } | null>(null)
  const check = async () => {
    setBusy(true)
    const result = await sendAction(() => checkServerNow({ id }))
    setBusy(false)
    setOutcome(result.ok ? result.value : { failed: result.error.message })
    router.refresh()
  }
  return (
    <>
      <Button variant={isNew ? 'primary' : 'secondary'} loading={busy} onClick={() => void check()}>
        {!busy && <RefreshCw className="size-4" aria-hidden />}
        {isNew ? 'Connect and read its tools' : 'Check now'}
      </Button>
      {outcome && (
        <Dialog
          open
          onOpenChange={(open) => !open && setOutcome(null)}
          title="Check of the server"
          className="max-w-2xl"
          footer={
            <Button variant="primary" onClick={() => setOutcome(null)}>
              Close
            </Button>
          }
        >
          {'failed' in outcome ? (
            <ErrorNotice title="It was not checked">{outcome.failed}</ErrorNotice>
          ) : (
            <Outcome outcome={outcome} />
          )}
        </Dialog>
      )}
    </>
  )
}

const whose = { toolgate: 'Toolgate', server: 'Server', log: 'Its log' } as const

function Outcome({ outcome: { trouble, tools, toReview, lines } }: { outcome: CheckOutcome }) {
  const [first] = lines
  return (
    <>
      {trouble === null ? (
        <p>
          It has {countOf(tools, 'tool')}, {toReview} of them to review.
        </p>
      ) : (
        <ErrorNotice title="It cannot be reached">{trouble}</ErrorNotice>
      )}
      <ol
        aria-label="Messages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-md border bg-surface-1 p-2 font-mono text-mono"
      >
        {lines.map(({ at, from, text }, place) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: lines only have their place
            key={place}
            className="grid grid-cols-[4rem_1fr] gap-x-2 sm:grid-cols-[4rem_5rem_1fr]"
          >
            <span className="text-muted">{at - (first?.at ?? at)} ms</span>
            <span className="text-muted">{whose[from]}</span>
            <span className="max-sm:col-span-2 [overflow-wrap:anywhere]">
              <VisibleText text={text} />
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}
