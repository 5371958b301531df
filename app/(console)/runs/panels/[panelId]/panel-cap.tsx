'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { CapBox, CapButtons, useCapChoice } from '@/components/trace/cost-cap-notice'
import { useReaderRole } from '@/components/trace/reader-role'
import { refusalOf } from '@/components/trace/run-controls'
import type { RunStates } from '@/components/trace/use-runs-events'
import { VisibleText } from '@/components/trace/visible-text'
import { costCapChoices } from '@/lib/protocol/cost-caps'
import { formatCostMicroUsd } from '@/lib/protocol/format'
import type { CapDecision, CostCapChoice } from '@/lib/protocol/money'
import type { PanelView } from '@/lib/protocol/panel'
import { decidePanelCap } from '../../actions'

type Props = {
  panelId: string
  cap: NonNullable<PanelView['cap']>
  /** What a person chose, as the server knows it. */
  decision: CapDecision | null
  states: RunStates
  goesOn: boolean
}

/**
 * Asks once for all members what the cap of the panel does, also before it is reached. It is there from the beginning to the end, so
 * that nothing moves.
 */
export function PanelCap({ panelId, cap, decision, states, goesOn }: Props) {
  const role = useReaderRole()
  const router = useRouter()
  const [wasOpen] = useState(goesOn)
  const choice = useCapChoice(decision, async (asked) => {
    const trouble = await refusalOf(
      () => decidePanelCap({ panelId, choice: asked }),
      'The server cannot be reached. The panel goes on as before. Try again.',
    )
    router.refresh()
    return trouble
  })
  useNewsOf(decision, states)
  if (!wasOpen) return null
  const now = choice.asked ?? decision?.choice ?? cap.mode
  const choices = costCapChoices([{ scope: 'panel', ...cap }], role, decision?.byAdmin)
  const isOpen = cap.exceeded && decision === null && choice.asked === null && now === 'warn'
  return (
    <CapBox
      label="Cost cap of all members"
      isCalm={!goesOn || !isOpen}
      className="min-h-28 sm:min-h-12"
      actions={goesOn && <CapButtons choices={choices} now={now} choice={choice} />}
    >
      {spentWords(cap)}{' '}
      {!goesOn ? (
        'The panel has ended.'
      ) : choice.asked !== null ? (
        `You chose: ${words[choice.asked]}.`
      ) : decision ? (
        <>
          <VisibleText text={decision.by} /> chose: {words[decision.choice]}.
        </>
      ) : (
        `${cap.exceeded ? 'Now' : 'Then'} ${words[now]}.`
      )}
    </CapBox>
  )
}

const words: Record<CostCapChoice, string> = {
  enforce: 'members write a final answer, and no role begins',
  warn: 'the members go on, with a warning',
  ignore: 'the members go on without a warning',
}

function spentWords({ observedMicroUsd: spent, limitMicroUsd, exceeded }: Props['cap']): string {
  const limit = formatCostMicroUsd(limitMicroUsd)
  if (spent === null)
    return `The cost of the panel is unknown, so its cap of ${limit} cannot be checked.`
  return exceeded
    ? `The panel has cost ${formatCostMicroUsd(spent)} and reached its cap of ${limit}.`
    : `The panel may cost ${limit}.`
}

/** Reads the page again when a member heeds a choice that the page does not know: another person made it. */
function useNewsOf(decision: CapDecision | null, states: RunStates): void {
  const router = useRouter()
  const heeded = [...states.values()].map((state) => state.panelCapDecision?.choice ?? '').join()
  const [known, setKnown] = useState(heeded)
  const isNews = heeded !== known
  // Outside system: the row of the panel, which has the last choice.
  useEffect(() => {
    if (!isNews) return
    setKnown(heeded)
    if (!heeded.split(',').every((each) => each === '' || each === decision?.choice))
      router.refresh()
  }, [isNews, heeded, decision, router])
}
