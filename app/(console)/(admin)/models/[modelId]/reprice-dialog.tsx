'use client'
import type { RepricePreview } from '@toolgate/server/domains/usage/reprice'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Skeleton } from '@/components/ui/skeleton'
import { sumWords } from '@/lib/protocol/cost/cost'
import { countOf, formatCount } from '@/lib/words/format'
import { useReprice } from './use-reprice'

/** Recalculates the cost of past runs with the current prices: shows what would change, then does it in batches. */
export function RepriceDialog({ modelId, onClose }: { modelId: string; onClose: () => void }) {
  const { state, start, stop } = useReprice(modelId)
  const working = state.type === 'working'
  const close = () => {
    stop()
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title="Recompute past costs"
      description="At the prices valid at each run’s start. Budgets keep what they counted."
      footer={
        <>
          <Button onClick={close}>{working ? 'Stop' : 'Close'}</Button>
          {state.type === 'previewed' && state.preview.runs > 0 && (
            <Button variant="primary" onClick={start}>
              Recompute {countOf(state.preview.runs, 'run')}
            </Button>
          )}
        </>
      }
    >
      {state.type === 'asking' && <Skeleton className="h-20 w-full" />}
      {state.type === 'previewed' && <Preview preview={state.preview} />}
      <div role="status">
        {working && (
          <Progress done={state.done} runs={state.runs}>
            Recomputed {formatCount(state.done)} of {countOf(state.runs, 'run')}. Recompute again to
            finish later.
          </Progress>
        )}
        {state.type === 'done' && <p>Recomputed {countOf(state.done, 'run')}.</p>}
      </div>
      {state.type === 'failed' && <ErrorNotice title="Not finished">{state.message}</ErrorNotice>}
    </Dialog>
  )
}

function Preview({ preview }: { preview: RepricePreview }) {
  const { runs, calls, runsInFlight } = preview
  return (
    <>
      {runs === 0 ? (
        <p>All costs are up to date.</p>
      ) : (
        <>
          <p>
            {countOf(calls, 'call')} of {countOf(runs, 'run')} would change:
          </p>
          <dl className="numeric grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
            <dt className="text-muted">Before</dt>
            <dd>{sumWords(preview.beforeMicroUsd, preview.beforeUnpriced)}</dd>
            <dt className="text-muted">After</dt>
            <dd>{sumWords(preview.afterMicroUsd, preview.afterUnpriced)}</dd>
          </dl>
        </>
      )}
      {runsInFlight > 0 && (
        <p className="text-muted">Without {countOf(runsInFlight, 'active run')}.</p>
      )}
    </>
  )
}

function Progress(props: { done: number; runs: number; children: React.ReactNode }) {
  const { done, runs, children } = props
  return (
    <div className="flex flex-col gap-2">
      <progress value={done} max={Math.max(runs, 1)} className="h-2 w-full accent-accent" />
      <p>{children}</p>
    </div>
  )
}
