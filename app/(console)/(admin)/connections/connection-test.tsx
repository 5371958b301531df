'use client'
import type { ConnectionTest } from '@toolgate/server/domains/connections/schemas'
import { PlugZap } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { StatePill } from '@/components/ui/state-pill'
import { useToast } from '@/components/ui/toast'
import { useWaitingTime, WaitingTime } from '@/components/ui/waiting-time'
import { longestTestMs } from '@/lib/domains/connections/shape'
import { formatDuration } from '@/lib/words/format'
import { testStored } from './actions'
import { outcomePill, outcomeWord } from './connection-words'

/** Tests a stored connection, shows a message about the result, and keeps it as the last test. */
export function TestButton({
  id,
  name,
  size = 'md',
}: {
  id: string
  name: string
  size?: 'sm' | 'md'
}) {
  const router = useRouter()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    const result = await sendAction(() => testStored({ id }))
    setBusy(false)
    if (!result.ok) {
      toast({ tone: 'error', title: `${name} was not tested`, description: result.error.message })
      return
    }
    const { outcome, message } = result.value
    toast({
      tone: outcome === 'ok' ? 'ok' : 'error',
      title: `${name}: ${outcomeWord(result.value).toLowerCase()}`,
      description: message,
      about: `test ${id}`,
    })
    router.refresh()
  }
  if (size === 'sm') return <Short name={name} busy={busy} test={test} />
  return (
    <>
      {busy && <WaitingTime atMostMs={longestTestMs} />}
      <Button loading={busy} onClick={test}>
        {!busy && <PlugZap className="size-4" aria-hidden />}
        Test connection
      </Button>
    </>
  )
}

/** Shows the button in a table row: the seconds replace the word, so that the column keeps its width. */
function Short({ name, busy, test }: { name: string; busy: boolean; test: () => void }) {
  const waited = useWaitingTime(busy)
  return (
    <Button size="sm" loading={busy} onClick={test} aria-label={`Test ${name}`}>
      {waited === null ? 'Test' : <span className="numeric">{waited} s</span>}
    </Button>
  )
}

/** Shows what a test found, and what to do next. `children`: when it was, or what to know about it. */
export function TestResult({ test, children }: { test: ConnectionTest; children?: ReactNode }) {
  return (
    <div className="flex flex-col gap-1 rounded-md border bg-surface-1 p-3">
      <p className="flex flex-wrap items-center gap-2">
        <StatePill state={outcomePill(test)}>{outcomeWord(test)}</StatePill>
        {test.latencyMs !== null && (
          <span className="numeric text-muted text-sm">{formatDuration(test.latencyMs)}</span>
        )}
        {children}
      </p>
      <p className="[overflow-wrap:anywhere]">{test.message}</p>
    </div>
  )
}
