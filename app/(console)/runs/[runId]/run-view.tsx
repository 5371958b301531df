'use client'
import { RotateCcw } from 'lucide-react'
import Link from 'next/link'
import { useFreezeCheck } from '@/components/shell/freeze-watch'
import { ApprovalDeskProvider } from '@/components/trace/approval-desk'
import { LiveRun } from '@/components/trace/live-run'
import { RunActions } from '@/components/trace/run-actions'
import { Button } from '@/components/ui/button'
import type { RunState } from '@/lib/protocol/fold-run'
import { usePageDesk } from '../../approvals/use-page-desk'
import { askAboutCostCap } from '../ask-about-cost-cap'
import { askToStop } from '../ask-to-stop'

/** The trace from the journal; live, with Stop, while the run goes on. */
export function RunView({ runId, initial }: { runId: string; initial: RunState }) {
  const checkFreeze = useFreezeCheck()
  return (
    <ApprovalDeskProvider value={usePageDesk()}>
      <LiveRun
        runId={runId}
        initial={initial}
        stop={() => askToStop(runId)}
        chooseCostCap={(choice) => askAboutCostCap(runId, choice)}
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
    </ApprovalDeskProvider>
  )
}
