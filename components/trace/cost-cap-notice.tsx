'use client'
import { CircleDollarSign } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { useToast } from '@/components/ui/toast'
import { boundedCost } from '@/lib/protocol/cost/cost'
import {
  alsoWords,
  capWords,
  costCapChoices,
  costOwner,
  decisionOn,
  isCapped,
  ownCaps,
  reachedCaps,
  spentBound,
  spentUnder,
} from '@/lib/protocol/cost/cost-caps'
import type { CapDecision, CostCap, CostCapChoice } from '@/lib/protocol/cost/money'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { useReaderRole } from './reader-role'
import { VisibleText } from './visible-text'

/** Sends a choice. Resolves with null, or with the error message to show. */
export type ChooseCostCap = (choice: CostCapChoice) => Promise<string | null>

const buttons: Record<CostCapChoice, string> = {
  enforce: 'Enforce',
  warn: 'Keep warning',
  ignore: 'Ignore',
}

/** The reader's choice and the decision before it. Once there is a newer decision, that one is shown. */
type Asked = { choice: CostCapChoice; over: CapDecision | null }

/** Effect of a cap, and the choices of the reader: `requested` is a choice that the run has not applied yet. */
export type CapChoice = ReturnType<typeof useCapChoice>

/** Holds what the reader chooses about a cap on which `decision` is the last choice so far. */
export function useCapChoice(decision: CapDecision | null, choose: ChooseCostCap) {
  const toast = useToast()
  const [busy, setBusy] = useState<CostCapChoice | null>(null)
  const [sent, setSent] = useState<Asked | null>(null)
  const requested = sent !== null && sent.over === decision ? sent.choice : null
  const send = async (choice: CostCapChoice) => {
    setBusy(choice)
    const problem = await choose(choice)
    setBusy(null)
    if (problem === null) return setSent({ choice, over: decision })
    toast({ tone: 'error', title: 'Cost cap not changed', description: problem })
  }
  return { busy, send, requested: requested === decision?.choice ? null : requested }
}

/** Shows what may be chosen about a cap; `now` is what it does. */
export function CapButtons({
  choices,
  now,
  choice: { busy, send },
}: {
  choices: readonly CostCapChoice[]
  now: CostCapChoice | null
  choice: CapChoice
}) {
  return choices.map((choice) => (
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
  ))
}

const chosenWords: Record<CostCapChoice, string> = {
  enforce: 'the run stops with a final answer',
  warn: 'the run continues, with warnings',
  ignore: 'the run continues without warnings',
}

/**
 * Shows that a run continues after it reached its cost cap, and the choices for the rest of the run. About the cap of its panel,
 * people choose on the page of the panel.
 */
export function CostCapNotice({ state, choose }: { state: RunState; choose: ChooseCostCap }) {
  const role = useReaderRole()
  const decision = state.costCapDecision
  const choice = useCapChoice(decision, choose)
  if (state.end) return null
  const reached = reachedCaps(state)
  const own = reached.find(({ scope }) => scope !== 'panel')
  const ofPanel = reached.find(({ scope }) => scope === 'panel')
  const panelId = state.start?.panelId
  return (
    <>
      {ofPanel && panelId && (
        <CapBox
          label="Cost cap of the panel"
          actions={
            <Button asChild size="sm">
              <Link href={`/runs/panels/${panelId}`}>Choose for the whole panel</Link>
            </Button>
          }
        >
          {spentWords(state, ofPanel)} {capWords(ofPanel)}.{' '}
          <Standing state={state} decision={decisionOn(ofPanel, state)} requested={null} />
        </CapBox>
      )}
      {own && (
        <CapBox
          label="Cost cap"
          actions={
            <CapButtons
              choices={costCapChoices(ownCaps(state), role, decision?.byAdmin)}
              now={choice.requested ?? decision?.choice ?? null}
              choice={choice}
            />
          }
        >
          {spentWords(state, own)} {capWords(own)}.{' '}
          <Standing state={state} decision={decision} requested={choice.requested} />
        </CapBox>
      )}
    </>
  )
}

/** Shows how a cap stands, beside what may be done about it. `isCalm`: nobody has to look at it now. */
export function CapBox({
  label,
  actions,
  isCalm = false,
  className = 'mt-4',
  children,
}: {
  label: string
  actions: ReactNode
  isCalm?: boolean
  className?: string
  children: ReactNode
}) {
  return (
    <section
      aria-label={label}
      className={cn(
        'flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border px-3 py-2',
        isCalm ? 'bg-surface-1' : 'bg-warning-soft',
        className,
      )}
    >
      <p
        className={cn(
          'flex min-w-0 flex-1 basis-80 items-start gap-1.5',
          isCalm ? 'text-muted' : 'text-warning',
        )}
      >
        <CircleDollarSign className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span>{children}</span>
      </p>
      <div className="flex flex-wrap gap-2">{actions}</div>
    </section>
  )
}

function spentWords(state: RunState, cap: CostCap): string {
  const [spent, who, also] = [spentUnder(cap, state), costOwner(cap), alsoWords(cap, state)]
  const bound = who === 'panel' ? 'exact' : spentBound(state)
  return spent === null
    ? `The cost of this ${who}${also} is unknown, so Toolgate cannot check`
    : `This ${who} has cost ${boundedCost(spent, bound)}${also} and reached`
}

function Standing({
  state,
  decision,
  requested,
}: {
  state: RunState
  decision: CapDecision | null
  requested: CostCapChoice | null
}) {
  if (requested !== null) return `You chose: ${chosenWords[requested]}, from the next round.`
  if (decision) {
    return (
      <>
        <VisibleText text={decision.by} /> chose that {chosenWords[decision.choice]}.
      </>
    )
  }
  return isCapped(state) ? 'The run stops with a final answer.' : 'The run continues.'
}
