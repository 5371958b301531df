'use client'
import type { PanelChoice } from '@toolgate/server/runs/panels/panel-schemas'
import { Check, Download, Square } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { stopAll } from '@/app/(console)/runs/actions'
import { useAct } from '@/components/forms/use-act'
import { useFreezeCheck } from '@/components/shell/freeze-watch'
import { PageHead } from '@/components/shell/page-head'
import { LongText } from '@/components/trace/long-text'
import { Connection } from '@/components/trace/run-strip'
import { type RunStates, useRunsEvents } from '@/components/trace/use-runs-events'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { RelativeTime } from '@/components/ui/relative-time'
import type { CapDecision } from '@/lib/protocol/cost/money'
import { viewPanel } from '@/lib/protocol/panel/panel'
import type { PanelStart } from '@/lib/protocol/panel/panel-start'
import { countOf } from '@/lib/words/format'
import { Columns } from './columns'
import { Lanes } from './lanes'
import { PanelCap } from './panel-cap'
import { PanelFacts } from './panel-facts'

type Props = {
  panelId: string
  /** The first words of the prompt. */
  title: string
  prompt: string
  /** Name of the person who started it. */
  by: string
  createdAt: string
  start: PanelStart
  /** Roles of it may still begin. */
  hasTurns: boolean
  /** States of the started members when the page was rendered. */
  initial: RunStates
  choice: PanelChoice | null
  /** Choice of a person about the cost cap of all members. */
  capDecision: CapDecision | null
}

/** Shows a panel: what it cost so far, and its members side by side, live while they go on. */
export function PanelView({ panelId, title, prompt, by, createdAt, start, ...props }: Props) {
  const { states, connection } = useRunsEvents(props.initial)
  const { hasTurns, capDecision } = props
  const view = viewPanel({ ...start, hasTurns, capDecision }, [...states.values()])
  useEndOf(view.endedAt !== null)
  useTurns(hasTurns && view.open === 0)
  const isCoordination = start.members.some(({ role }) => role)
  const chosen = start.members.find(({ runId }) => runId !== null && runId === props.choice?.runId)
  const ended = states.size - view.open
  const since = view.startedAt ?? Date.parse(createdAt)
  return (
    <>
      <PageHead
        title={title}
        action={
          <>
            <Stop panelId={panelId} goesOn={view.endedAt === null} />
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
        {start.task && (
          <>
            {' '}
            Task:{' '}
            <Link href={`/tasks/${start.task.taskId}`} className="text-link hover:underline">
              <VisibleText text={start.task.name} />
            </Link>
            .
          </>
        )}
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
      <PanelFacts start={start} view={view} since={since} />
      {view.cap && (
        <PanelCap
          panelId={panelId}
          states={states}
          cap={view.cap}
          decision={capDecision}
          isCoordination={isCoordination}
          goesOn={view.endedAt === null}
        />
      )}
      {isCoordination && (
        <Lanes start={start} states={states} since={since} endedAt={view.endedAt} />
      )}
      <Connection connection={connection} />
      {prompt !== title && (
        <section aria-label="Prompt" className="rounded-md border bg-surface-1 px-3 py-2">
          <LongText text={prompt} label="Whole prompt" mono={false} />
        </section>
      )}
      <Columns panelId={panelId} start={start} states={states} choice={props.choice} />
      {view.endedAt === null && <div aria-hidden className="h-16 md:hidden" />}
    </>
  )
}

/** Looks once whether the site was frozen, when the last member has ended while the page watched. */
function useEndOf(isOver: boolean): void {
  const checkFreeze = useFreezeCheck()
  const [wasOver] = useState(isOver)
  const ended = isOver && !wasOver
  // External system: the bar that says that the site is frozen.
  useEffect(() => {
    if (ended) checkFreeze()
  }, [ended, checkFreeze])
}

/** A role mostly begins right after the one before it; then a server has to find it. */
const [firstLookMs, lookEveryMs] = [300, 1_500]

/** Reads the page again until the next roles began: only the server knows when it is their turn. */
function useTurns(isBetween: boolean): void {
  const router = useRouter()
  // External system: the roles that servers begin.
  useEffect(() => {
    if (!isBetween) return
    const look = () => {
      router.refresh()
      timer = setTimeout(look, lookEveryMs)
    }
    let timer = setTimeout(look, firstLookMs)
    return () => clearTimeout(timer)
  }, [isBetween, router])
}

/**
 * Stops all members that go on. Its place stays when nothing is left to stop, so that nothing moves. On a phone it stays at the lower
 * edge.
 */
function Stop({ panelId, goesOn }: { panelId: string; goesOn: boolean }) {
  const { busy, act } = useAct()
  const [wasOpen] = useState(goesOn)
  const [isStopping, setIsStopping] = useState(false)
  const stop = async () => {
    setIsStopping(true)
    await act(() => stopAll({ panelId }), {
      failed: 'Not stopped',
      done: ({ stoppedRuns }) =>
        stoppedRuns === 0 ? 'Nothing more begins' : `Stopped ${countOf(stoppedRuns, 'member')}`,
    })
    setIsStopping(false)
  }
  if (!wasOpen) return null
  return (
    <div
      data-bottom-bar={goesOn ? '' : undefined}
      className={cn(
        'max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-20 max-md:border-t max-md:bg-surface-1 max-md:p-3',
        !goesOn && 'invisible',
      )}
    >
      <Button
        variant="danger"
        className="max-md:w-full"
        loading={busy}
        disabled={!goesOn || isStopping}
        onClick={() => void stop()}
      >
        {!busy && <Square className="size-3.5 fill-current" aria-hidden />}
        Stop
      </Button>
    </div>
  )
}
