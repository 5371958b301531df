'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { decidePanelCap } from '@/app/(console)/runs/actions'
import { CapBox, CapButtons, useCapChoice } from '@/components/trace/cost-cap-notice'
import { useReaderRole } from '@/components/trace/reader-role'
import { refusalOf } from '@/components/trace/run-controls'
import type { RunStates } from '@/components/trace/use-runs-events'
import { VisibleText } from '@/components/trace/visible-text'
import { costCapChoices } from '@/lib/protocol/cost/cost-caps'
import type { CapDecision, CostCapChoice } from '@/lib/protocol/cost/money'
import type { PanelView } from '@/lib/protocol/panel/panel'
import { formatCostMicroUsd } from '@/lib/words/format'

type Props = {
  panelId: string
  cap: NonNullable<PanelView['cap']>
  /** Choice of a person, as the server knows it. */
  decision: CapDecision | null
  states: RunStates
  isCoordination: boolean
  goesOn: boolean
}

/**
 * Asks once for all members what the cap of the panel does, also before it is reached. It is there from the beginning to the end, so
 * that nothing moves.
 */
export function PanelCap({ panelId, cap, decision, states, isCoordination, goesOn }: Props) {
  const role = useReaderRole()
  const router = useRouter()
  const [wasOpen] = useState(goesOn)
  const choice = useCapChoice(decision, async (input) => {
    const problem = await refusalOf(
      () => decidePanelCap({ panelId, choice: input }),
      'The server cannot be reached. Try again.',
    )
    router.refresh()
    return problem
  })
  useNewsOf(decision, states)
  if (!wasOpen) return null
  const now = choice.requested ?? decision?.choice ?? cap.mode
  const choices = costCapChoices([{ scope: 'panel', ...cap }], role, decision?.byAdmin)
  const isOpen = cap.exceeded && decision === null && choice.requested === null && now === 'warn'
  return (
    <CapBox
      label="Cost cap of all members"
      isCalm={!goesOn || !isOpen}
      className="min-h-28 sm:min-h-12"
      actions={goesOn && <CapButtons choices={choices} now={now} choice={choice} />}
    >
      {goesOn ? `${standing(cap)} ${wordsOf(now, isCoordination)}.` : endWords(cap)}
      {goesOn && choice.requested !== null && ' You chose this.'}
      {goesOn && choice.requested === null && decision && (
        <>
          {' '}
          Chosen by <VisibleText text={decision.by} />.
        </>
      )}
    </CapBox>
  )
}

function wordsOf(choice: CostCapChoice, isCoordination: boolean): string {
  if (choice === 'warn') return 'members go on, with a warning'
  if (choice === 'ignore') return 'members go on, without a warning'
  return isCoordination
    ? 'roles at work write a final answer, no other begins'
    : 'members write a final answer'
}

type Cap = Props['cap']

function standing({ observedMicroUsd: spent, limitMicroUsd, exceeded }: Cap): string {
  const limit = formatCostMicroUsd(limitMicroUsd)
  if (spent === null) return `Its cost is unknown, so its cap of ${limit} counts as reached:`
  return exceeded
    ? `It has cost ${formatCostMicroUsd(spent)} and reached its cap of ${limit}:`
    : `When the panel has cost ${limit},`
}

function endWords({ observedMicroUsd: spent, limitMicroUsd }: Cap): string {
  const limit = formatCostMicroUsd(limitMicroUsd)
  return spent === null
    ? `Cost unknown; the cap was ${limit}.`
    : `It cost ${formatCostMicroUsd(spent)}; the cap was ${limit}.`
}

/** Reads the page again when a member heeds a choice that the page does not know: another person made it. */
function useNewsOf(decision: CapDecision | null, states: RunStates): void {
  const router = useRouter()
  const heeded = [...states.values()].map((state) => state.panelCapDecision?.choice ?? '').join()
  const [known, setKnown] = useState(heeded)
  const isNews = heeded !== known
  // External system: the row of the panel, which has the last choice.
  useEffect(() => {
    if (!isNews) return
    setKnown(heeded)
    if (!heeded.split(',').every((each) => each === '' || each === decision?.choice))
      router.refresh()
  }, [isNews, heeded, decision, router])
}
