'use client'

import { ArrowDown } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useToast } from '@/components/ui/toast'
import type { RunState } from '@/lib/protocol/fold-run'
import { CostCapNotice } from './cost-cap-notice'
import { useRunControls } from './run-controls'
import { RunStrip } from './run-strip'
import { announce } from './run-words'
import { Trace } from './trace'
import { useFollow } from './use-follow'
import { useRunEvents } from './use-run-events'

type Props = {
  runId: string
  /** What the server knew when it rendered the page. */
  initial: RunState
  /** Called once when the run has ended while it was watched. */
  onEnd?: () => void
  /** The actions of a run that ended. */
  children?: (state: RunState) => ReactNode
}

/** Shows a run while it happens. Give it a `key` of the run's id. The page around it scrolls. */
export function LiveRun({ runId, initial, onEnd, children }: Props) {
  const controls = useRunControls(runId)
  const { state, connection } = useRunEvents(runId, initial)
  const [stopping, setStopping] = useState(false)
  const toast = useToast()
  const content = useRef<HTMLDivElement>(null)
  const live = state.end === null
  const { behind, jump, aim, stay } = useFollow(content, live)

  const ended = !live && initial.end === null
  // Outside system: the page around this run, which reacts to its end.
  useEffect(() => {
    if (ended) onEnd?.()
  }, [ended, onEnd])

  const askToStop =
    controls && live
      ? () => {
          setStopping(true)
          controls.stop().then((trouble) => {
            if (trouble === null) return
            setStopping(false)
            toast({ tone: 'error', title: 'The run was not stopped', description: trouble })
          })
        }
      : null

  useEscape(askToStop)

  return (
    <section aria-label="Run" className="flex flex-col gap-4">
      <h2 className="sr-only">Trace</h2>
      <RunStrip state={state} connection={connection} stopping={stopping} onStop={askToStop} />
      <p role="status" aria-live="polite" className="sr-only">
        {announce(state)}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only notices where the pointer is */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a button inside clicks it, which ends up here */}
      <div ref={content} onMouseMove={aim} onClick={(event) => stay(event.target)} className="pb-6">
        <Trace runId={runId} state={state}>
          {children?.(state)}
        </Trace>
        {controls && <CostCapNotice state={state} choose={controls.chooseCostCap} />}
      </div>
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

/** Stops the run on Escape, unless something on the page used that key, such as a dialog or a list. */
function useEscape(action: (() => void) | null) {
  const latest = useRef(action)
  // Outside system: the keyboard, wherever the focus is. The window hears a key after everything on the page, whichever
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
