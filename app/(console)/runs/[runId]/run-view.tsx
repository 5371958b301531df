'use client'
import { RotateCcw } from 'lucide-react'
import Link from 'next/link'
import { useFreezeCheck } from '@/components/shell/freeze-watch'
import { LiveRun } from '@/components/trace/live-run'
import { RunActions } from '@/components/trace/run-actions'
import { Button } from '@/components/ui/button'
import type { RunOpening } from '@/lib/protocol/run-opening'
import type { Waiting } from '@/lib/protocol/waiting'

type Props = { runId: string; title: string; initial: RunOpening; waiting: Waiting | null }

/** Shows the trace from the journal; live, with Stop, while the run goes on. */
export function RunView({ runId, title, initial, waiting }: Props) {
  const checkFreeze = useFreezeCheck()
  return (
    <LiveRun
      runId={runId}
      title={title}
      initial={initial.state}
      left={initial.left}
      initialWaiting={waiting}
      onEnd={checkFreeze}
    >
      {() => (
        <RunActions runId={runId}>
          <Button asChild size="sm">
            <Link href={`/playground?from=${runId}`}>
              <RotateCcw className="size-4" aria-hidden />
              Run again
            </Link>
          </Button>
        </RunActions>
      )}
    </LiveRun>
  )
}
