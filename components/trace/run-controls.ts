'use client'

import { createContext, useContext } from 'react'
import type { ActionResult } from '@/lib/next/action'
import type { CostCapChoice } from '@/lib/protocol/cost/money'

/** The server actions that change how a run goes on. */
type RunControls = {
  stopRun: (input: { runId: string; reason: string }) => Promise<ActionResult<unknown>>
  decideCostCap: (input: { runId: string; choice: CostCapChoice }) => Promise<ActionResult<unknown>>
}

const RunControlsContext = createContext<RunControls | null>(null)

export const RunControlsProvider = RunControlsContext.Provider

/**
 * Returns what the reader may do about this run while it goes on; null = only look at it. Both functions resolve with
 * what to tell the reader when nothing changed, else with null.
 */
export function useRunControls(runId: string) {
  const actions = useContext(RunControlsContext)
  if (!actions) return null
  return {
    stop: () =>
      refusalOf(
        () => actions.stopRun({ runId, reason: 'A user stopped the run in the console.' }),
        'The server cannot be reached. The run continues. Try again.',
      ),
    chooseCostCap: (choice: CostCapChoice) =>
      refusalOf(
        () => actions.decideCostCap({ runId, choice }),
        'The server cannot be reached. The run continues as before. Try again.',
      ),
  }
}

/** Sends an action. Resolves with null when it worked, else with what to tell the reader. */
export async function refusalOf(
  send: () => Promise<ActionResult<unknown>>,
  unreachable: string,
): Promise<string | null> {
  try {
    const result = await send()
    return result.ok ? null : result.error.message
  } catch {
    return unreachable
  }
}
