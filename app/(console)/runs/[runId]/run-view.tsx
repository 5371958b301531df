'use client'
import { MessageSquarePlus, RotateCcw, SlidersHorizontal } from 'lucide-react'
import Link from 'next/link'
import { useFreezeCheck } from '@/components/shell/freeze-watch'
import { isKeyRefused } from '@/components/trace/end-strip'
import { LiveRun } from '@/components/trace/live-run'
import { CompareLink, ReplayLink, RunActions, SaveCheckLink } from '@/components/trace/run-actions'
import { Button } from '@/components/ui/button'
import type { RunOpening } from '@/lib/protocol/run/run-opening'
import type { Waiting } from '@/lib/protocol/run/waiting'

/** `userId`: the reader, who continues only own runs. */
type Props = {
  runId: string
  userId: string
  title: string
  initial: RunOpening
  waiting: Waiting | null
}

/** Shows the trace from the journal; live, with Stop, while the run goes on. */
export function RunView({ runId, userId, title, initial, waiting }: Props) {
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
      {({ start, end }) => (
        <RunActions runId={runId}>
          {start?.actor.userId === userId && (
            <Button asChild size="sm" variant={isKeyRefused(end) ? 'secondary' : 'primary'}>
              <Link href={`/playground?continue=${runId}`}>
                <MessageSquarePlus className="size-4" aria-hidden />
                Continue
              </Link>
            </Button>
          )}
          <Button asChild size="sm">
            <Link href={`/playground?from=${runId}`}>
              <RotateCcw className="size-4" aria-hidden />
              Run again
            </Link>
          </Button>
          {start?.actor.userId === userId && (
            <Button asChild size="sm">
              <Link href={`/playground?change=${runId}`}>
                <SlidersHorizontal className="size-4" aria-hidden />
                Change and run again
              </Link>
            </Button>
          )}
          <CompareLink runId={runId} />
          <SaveCheckLink runId={runId} />
          <ReplayLink runId={runId} />
        </RunActions>
      )}
    </LiveRun>
  )
}
