'use client'
import { Check, Download, Square } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useAct } from '@/components/forms/use-act'
import { useFreezeCheck } from '@/components/shell/freeze-watch'
import { LongText } from '@/components/trace/long-text'
import { Connection } from '@/components/trace/run-strip'
import { type RunStates, useRunsEvents } from '@/components/trace/use-runs-events'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { PageHead } from '@/components/ui/page-head'
import { RelativeTime } from '@/components/ui/relative-time'
import { countOf } from '@/lib/protocol/format'
import { viewPanel } from '@/lib/protocol/panel'
import type { PanelStart } from '@/lib/protocol/panel-start'
import type { PanelChoice } from '@/lib/runs/panel-schemas'
import { stopAll } from '../../actions'
import { Columns } from './columns'
import { PanelFacts } from './panel-facts'

type Props = {
  panelId: string
  /** The first words of the prompt. */
  title: string
  prompt: string
  /** Who started it. */
  by: string
  createdAt: string
  start: PanelStart
  /** What the server knew of the members that were started. */
  initial: RunStates
  choice: PanelChoice | null
}

/** Shows a panel: what it cost so far, and its members side by side, live while they go on. */
export function PanelView({ panelId, title, prompt, by, createdAt, start, ...props }: Props) {
  const { states, connection } = useRunsEvents(props.initial)
  const view = viewPanel(start, [...states.values()])
  useEndOf(view.open)
  const chosen = start.members.find(({ runId }) => runId !== null && runId === props.choice?.runId)
  const ended = states.size - view.open
  return (
    <>
      <PageHead
        title={title}
        action={
          <>
            <Stop panelId={panelId} open={view.open} />
            <Button asChild>
              <a href={`/api/panels/${panelId}/export`} download>
                <Download className="size-4" aria-hidden />
                Export JSON
              </a>
            </Button>
          </>
        }
      >
        Started by <VisibleText text={by} />, <RelativeTime at={createdAt} />.
        {chosen && (
          <span className="flex items-center gap-1 text-strong">
            <Check className="size-4 shrink-0 text-ok" aria-hidden />
            Chosen answer: <VisibleText text={chosen.name} />
          </span>
        )}
      </PageHead>
      <p role="status" aria-live="polite" className="sr-only">
        {ended} of {countOf(states.size, 'member')} ended.
      </p>
      <PanelFacts start={start} view={view} since={Date.parse(createdAt)} />
      <Connection connection={connection} />
      {prompt !== title && (
        <section aria-label="Prompt" className="rounded-md border bg-surface-1 px-3 py-2">
          <LongText text={prompt} label="Whole prompt" mono={false} />
        </section>
      )}
      <Columns panelId={panelId} start={start} states={states} choice={props.choice} />
    </>
  )
}

/** Looks once whether the site was frozen, when the last member has ended while the page watched. */
function useEndOf(open: number): void {
  const checkFreeze = useFreezeCheck()
  const [wasOpen] = useState(open > 0)
  const ended = wasOpen && open === 0
  // Outside system: the bar that says that the site is frozen.
  useEffect(() => {
    if (ended) checkFreeze()
  }, [ended, checkFreeze])
}

/** Stops all members that go on. Its place stays when nothing is left to stop, so that nothing moves. */
function Stop({ panelId, open }: { panelId: string; open: number }) {
  const { busy, act } = useAct()
  const [wasOpen] = useState(open > 0)
  const [asked, setAsked] = useState(false)
  const stop = async () => {
    setAsked(true)
    await act(() => stopAll({ panelId }), {
      failed: 'The panel was not stopped',
      done: ({ stoppedRuns }) => `Stopped ${countOf(stoppedRuns, 'member')}`,
    })
    setAsked(false)
  }
  if (!wasOpen) return null
  return (
    <Button
      variant="danger"
      className={open === 0 ? 'invisible' : undefined}
      loading={busy}
      disabled={open === 0 || asked}
      onClick={() => void stop()}
    >
      {!busy && <Square className="size-3.5 fill-current" aria-hidden />}
      Stop
    </Button>
  )
}
