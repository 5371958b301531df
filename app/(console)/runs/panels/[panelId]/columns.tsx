'use client'
import type { PanelChoice } from '@toolgate/server/runs/panels/panel-schemas'
import { useRef, useState } from 'react'
import type { RunStates } from '@/components/trace/use-runs-events'
import type { PanelStart } from '@/lib/protocol/panel/panel-start'
import { roleTitle } from '@/lib/protocol/panel/role-words'
import { IdleColumn, MemberColumn } from './member-column'

/**
 * Shows the members side by side, all as wide: two to four fill the frame, more scroll sideways inside their own region. On a phone,
 * each is one view of a strip.
 */
export function Columns({
  panelId,
  start,
  states,
  choice,
}: {
  panelId: string
  start: PanelStart
  states: RunStates
  choice: PanelChoice | null
}) {
  const { members, tools } = start
  const strip = useRef<HTMLElement>(null)
  const [inView, setInView] = useState(1)
  const look = () => {
    const { scrollLeft = 0, scrollWidth = 1 } = strip.current ?? {}
    const place = Math.round((scrollLeft / scrollWidth) * members.length) + 1
    setInView(Math.min(members.length, Math.max(1, place)))
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="numeric text-muted text-sm md:hidden" aria-hidden>
        {inView} of {members.length}
      </p>
      <section
        ref={strip}
        onScroll={look}
        aria-label="Members side by side"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll here
        tabIndex={0}
        className="relative grid snap-x snap-mandatory auto-cols-[100%] grid-flow-col items-start gap-4 overflow-x-auto overscroll-x-contain pb-2 md:auto-cols-[minmax(16.5rem,1fr)] md:snap-none"
      >
        {members.map((member, place) => {
          const { runId, name, role, refusal } = member
          const title = roleTitle(members, place)
          const state = runId === null ? undefined : states.get(runId)
          if (runId === null || !state)
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the members of a panel never change
              <IdleColumn key={place} place={place} title={title} name={name} refusal={refusal} />
            )
          return (
            <MemberColumn
              key={runId}
              place={place}
              panelId={panelId}
              runId={runId}
              state={state}
              choice={choice}
              title={title}
              name={name}
              role={role}
              hasTools={tools.length > 0 && role !== 'synthesizer'}
            />
          )
        })}
      </section>
    </div>
  )
}
