'use client'
import { useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import type { ActionError } from '@/lib/action'
import type { ApprovalRuleInput } from '@/lib/approvals/schemas'
import type { Simulation } from '@/lib/runs/simulate-approval-rule'
import { tryRule } from './actions'

/** `asked` tells one question from another, so that a page can see whether an answer is still to the question. */
type Tried = { asked: string; days: number; simulation: Simulation }

/** Asks what a rule would have stopped. A rule that is no rule is for the form to show, everything else `problem`. */
export function useSimulation(onRefused: (error: ActionError) => void) {
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState<Tried | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async (rule: ApprovalRuleInput, days: number, asked: string) => {
    setBusy(true)
    setProblem(null)
    const result = await sendAction(() => tryRule({ rule, days }))
    setBusy(false)
    if (result.ok) return setTried({ asked, days, simulation: result.value })
    if (result.error.fields) return onRefused(result.error)
    setProblem(result.error.message)
  }
  return { busy, tried, problem, run }
}
