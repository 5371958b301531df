'use client'
import { CircleDollarSign } from 'lucide-react'
import { useId, useState } from 'react'
import { CapButtons, useCapChoice } from '@/components/trace/cost-cap-notice'
import { useReaderRole } from '@/components/trace/reader-role'
import { useRunControls } from '@/components/trace/run-controls'
import { cn } from '@/components/ui/cn'
import { costCapChoices, ownCaps } from '@/lib/protocol/cost/cost-caps'
import { ownCapView } from '@/lib/protocol/panel/panel'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { visibleText } from '@/lib/words/clean-text'

/**
 * Asks what the cost cap of one member alone does: that of its configuration, of its role or of each member. It is there until the
 * end, also before the cap is reached, so that nothing moves.
 */
export function MemberCap({
  runId,
  name,
  state,
}: {
  runId: string
  name: string
  state: RunState
}) {
  const labelId = useId()
  const role = useReaderRole()
  const controls = useRunControls(runId)
  const [wasOpen] = useState(state.end === null)
  const decision = state.costCapDecision
  const choice = useCapChoice(decision, async (input) => controls?.chooseCostCap(input) ?? null)
  const cap = ownCapView(state)
  const choices = costCapChoices(ownCaps(state), role, decision?.byAdmin)
  if (!controls || !wasOpen || !cap || choices.length < 2) return null
  const isOpen =
    cap.exceeded && cap.mode === 'warn' && decision === null && choice.requested === null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws its legend over its border
    <div
      role="group"
      aria-labelledby={labelId}
      className={cn('flex flex-wrap gap-1.5', state.end && 'invisible')}
    >
      <p
        id={labelId}
        className={cn('w-full text-sm', isOpen ? 'font-medium text-warning' : 'text-muted')}
      >
        <CircleDollarSign className="mr-1 inline size-4 align-text-bottom" aria-hidden />
        {isOpen ? 'Cost cap reached. Choose:' : 'At the cost cap:'}{' '}
        <span className="sr-only">{visibleText(name)}</span>
      </p>
      <CapButtons
        choices={choices}
        now={choice.requested ?? decision?.choice ?? cap.mode}
        choice={choice}
      />
    </div>
  )
}
