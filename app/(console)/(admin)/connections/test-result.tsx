import type { ReactNode } from 'react'
import { StatePill } from '@/components/ui/state-pill'
import type { ConnectionTest } from '@/lib/domains/connections/schemas'
import { formatDuration } from '@/lib/protocol/format'
import { outcomePill, outcomeWord } from './connection-words'

/** What a test found, and what to do next. `children`: when it was, or what to know about it. */
export function TestResult({ test, children }: { test: ConnectionTest; children?: ReactNode }) {
  return (
    <div className="flex max-w-3xl flex-col gap-1 rounded-md border bg-surface-1 p-3">
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
