'use client'
import { useQuery } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { readJson } from '@/components/shell/queries'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { useToast } from '@/components/ui/toast'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { Waiting } from '@/lib/protocol/run/waiting'
import { countOf } from '@/lib/words/format'
import { CostCapNotice } from './cost-cap-notice'
import { InViewProvider, openInView } from './in-view'
import { useRunControls } from './run-controls'
import { RunStrip } from './run-strip'
import { announce } from './run-words'
import { Timeline } from './timeline'
import { Trace } from './trace'
import { useFollow } from './use-follow'
import { useRunEvents } from './use-run-events'
import { useWaiting, WaitingLine } from './waiting-line'

type Props = {
  runId: string
  /** The prompt where the page shows it already. */
  title?: string | undefined
  /** State of the run when the page was rendered. */
  initial: RunState
  /** Number of rounds that the page of an ended run left out; they follow. */
  left?: number
  /** Queue position when the page was rendered, of a run that waits for a place to begin. */
  initialWaiting?: Waiting | null
  /** Called once when the run has ended while it was watched. */
  onEnd?: () => void
  /** The actions of a run that ended. */
  children?: (state: RunState) => ReactNode
}

/** Shows a run while it happens. Give it a `key` of the run's id. The page around it scrolls. */
export function LiveRun({
  runId,
  title,
  initial,
  left: leftAtFirst = 0,
  initialWaiting = null,
  onEnd,
  children,
}: Props) {
  const controls = useRunControls(runId)
  const { state: followed, connection } = useRunEvents(runId, initial)
  const whole = useWholeRun(runId, leftAtFirst > 0)
  const state = whole.data ?? followed
  const left = whole.data ? 0 : leftAtFirst
  const waiting = useWaiting(runId, state, initialWaiting)
  const [stopping, setStopping] = useState(false)
  const [inView] = useState(openInView)
  const toast = useToast()
  const content = useRef<HTMLDivElement>(null)
  const live = state.end === null
  const { behind, jump, aim, stay } = useFollow(content, live)

  const ended = !live && initial.end === null
  // External system: the page around this run, which reacts to its end.
  useEffect(() => {
    if (ended) onEnd?.()
  }, [ended, onEnd])

  const askToStop =
    controls && live
      ? () => {
          setStopping(true)
          controls.stop().then((problem) => {
            if (problem === null) return
            setStopping(false)
            toast({ tone: 'error', title: 'Not stopped', description: problem })
          })
        }
      : null

  useEscape(askToStop)

  return (
    <section aria-label="Run" className="@container flex flex-col gap-4">
      <h2 className="sr-only">Trace</h2>
      <RunStrip
        state={state}
        left={left}
        waiting={waiting}
        connection={connection}
        stopping={stopping}
        onStop={askToStop}
      />
      <p role="status" aria-live="polite" className="sr-only">
        {announce(state, waiting)}
      </p>
      <InViewProvider value={inView}>
        <div className="flex @4xl:flex-row-reverse flex-col @4xl:items-start gap-x-6 gap-y-4">
          {left === 0 ? <Timeline state={state} /> : <div className="@4xl:w-80 @4xl:shrink-0" />}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: only notices where the pointer is */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a button inside clicks it, which ends up here */}
          <div
            ref={content}
            onMouseMove={aim}
            onClick={(event) => stay(event.target)}
            className="min-w-0 flex-1 pb-6"
          >
            <Trace runId={runId} title={title} state={state} left={left}>
              {children?.(state)}
            </Trace>
            {whole.error && (
              <ErrorNotice
                title={`The other ${countOf(left, 'round')} could not be loaded`}
                action={
                  <Button size="sm" onClick={() => whole.refetch()}>
                    Try again
                  </Button>
                }
              >
                The server did not answer.
              </ErrorNotice>
            )}
            {waiting && <WaitingLine waiting={waiting} />}
            {controls && <CostCapNotice state={state} choose={controls.chooseCostCap} />}
          </div>
        </div>
      </InViewProvider>
      {/* Hidden while the run waits for a person: nothing new arrives, and it would cover the approval buttons. */}
      {behind && state.waitingSince === null && (
        <div className="pointer-events-none sticky bottom-16 z-20 flex justify-center md:bottom-4">
          <Button size="sm" className="pointer-events-auto shadow-float" onClick={jump}>
            <ArrowDown className="size-4" aria-hidden />
            Jump to latest
          </Button>
        </div>
      )}
    </section>
  )
}

/** Says whether it is an answer of this server; a check by hand, because the Playground loads this. */
function isRunState(body: unknown): body is RunState {
  const { lastSeq, rounds } = Object(body)
  return typeof lastSeq === 'number' && Array.isArray(rounds)
}

/** Reads all of a run that ended, of which the page has the first rounds. */
function useWholeRun(runId: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['run-state', runId],
    queryFn: ({ signal }) => readJson(`/api/runs/${runId}/state`, isRunState, signal),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

/** Stops the run on Escape, unless something on the page used that key, such as a dialog or a list. */
function useEscape(action: (() => void) | null) {
  const latest = useRef(action)
  // External system: the keyboard, wherever the focus is. The window hears a key after everything on the page, whichever
  // listener was added first. The listener is added once and calls the latest function.
  useEffect(() => {
    latest.current = action
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) latest.current?.()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
