'use client'
import { CircleDollarSign } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { useToast } from '@/components/ui/toast'
import { type CostCapChoice, costCapChoices } from '@/lib/protocol/cost'
import type { RunState } from '@/lib/protocol/fold-run'
import { boundedCost, capWords, isCapped, reachedCaps, runCostBound } from '@/lib/protocol/run-cost'
import { useReaderRole } from './reader-role'
import { VisibleText } from './visible-text'

/** Sends a choice. Resolves with null, or with the error message to show. */
export type ChooseCostCap = (choice: CostCapChoice) => Promise<string | null>

const buttons: Record<CostCapChoice, string> = {
  enforce: 'Enforce',
  warn: 'Keep warning',
  ignore: 'Ignore',
}
/** The reader's choice and the decision before it. Once the journal has a newer decision, that one is shown. */
type Asked = { choice: CostCapChoice; over: RunState['costCapDecision'] }

const chosenWords: Record<CostCapChoice, string> = {
  enforce: 'the run stops with a final answer',
  warn: 'the run continues, with a warning for each cap it reaches',
  ignore: 'the run continues without warnings',
}

/** Shows that a run continues after it reached its cost cap, and the choices for the rest of the run. */
export function CostCapNotice({ state, choose }: { state: RunState; choose: ChooseCostCap }) {
  const role = useReaderRole()
  const toast = useToast()
  const [busy, setBusy] = useState<CostCapChoice | null>(null)
  const [sent, setSent] = useState<Asked | null>(null)
  const [cap] = reachedCaps(state)
  if (!cap || state.end) return null

  const decision = state.costCapDecision
  const asked = sent !== null && sent.over === decision ? sent.choice : null
  const send = async (choice: CostCapChoice) => {
    setBusy(choice)
    const trouble = await choose(choice)
    setBusy(null)
    if (trouble === null) return setSent({ choice, over: decision })
    toast({ tone: 'error', title: 'The cost cap was not changed', description: trouble })
  }
  const now = asked ?? decision?.choice ?? null
  return (
    <section
      aria-label="Cost cap"
      className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border bg-warning-soft px-3 py-2"
    >
      <p className="flex min-w-0 flex-1 basis-80 items-start gap-1.5 text-warning">
        <CircleDollarSign className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span>
          {spentWords(state)} {capWords(cap)}. <Standing state={state} asked={asked} />
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        {costCapChoices(state.start?.snapshot.costCaps ?? [], role, decision?.byAdmin).map(
          (choice) => (
            <Button
              key={choice}
              size="sm"
              variant={choice === now ? 'primary' : 'secondary'}
              aria-pressed={choice === now}
              loading={busy === choice}
              disabled={busy !== null && busy !== choice}
              onClick={() => send(choice)}
            >
              {buttons[choice]}
            </Button>
          ),
        )}
      </div>
    </section>
  )
}

function spentWords(state: RunState): string {
  const { costMicroUsd } = state
  return costMicroUsd === null
    ? 'The cost of this run is unknown, so Toolgate cannot check'
    : `This run has cost ${boundedCost(costMicroUsd, runCostBound(state))} and reached`
}

function Standing({ state, asked }: { state: RunState; asked: CostCapChoice | null }) {
  const decision = state.costCapDecision
  if (asked !== null && asked !== decision?.choice) {
    return `You chose: ${chosenWords[asked]}. This applies from the next round.`
  }
  if (decision) {
    return (
      <>
        <VisibleText text={decision.by} /> chose that {chosenWords[decision.choice]}.
      </>
    )
  }
  return isCapped(state)
    ? 'The run stops with a final answer, without tools.'
    : 'The run continues.'
}
