import { setTimeout as wait } from 'node:timers/promises'
import { exitCodeOf, exitCodes } from '@/lib/doors/cli/exit-codes'
import type { CommonOptions } from '@/lib/doors/cli/input/common-options'
import { printJson } from '@/lib/doors/cli/print'
import { terminal } from '@/lib/doors/cli/terminal'
import type { Ctx } from '@/lib/kernel/context'
import type { PanelSummary } from '@/lib/runs/panels/panel-schemas'
import { stopPanel } from '@/lib/runs/panels/panels'
import { readPanel } from '@/lib/runs/panels/read-panel'
import { printPanel } from './print-panel'

type Member = PanelSummary['members'][number]

const everyMs = 300

/**
 * Waits for the end of a panel. A signal, or a reader of the output that went away, stops all its members and still waits for
 * their ends; the second one leaves at once.
 */
async function followPanel(ctx: Ctx, panelId: string): Promise<PanelSummary> {
  const left = new AbortController()
  let isAsking = false
  const listensNoMore = terminal().onStop((why) => {
    if (isAsking) return left.abort()
    isAsking = true
    if (why === 'signal')
      terminal().writeError('Stopping the panel. Press Ctrl-C again to leave at once.\n')
    stopPanel(ctx, { panelId, reason: 'Stopped in the terminal.' }).catch(() => left.abort())
  })
  try {
    for (;;) {
      const panel = await readPanel(ctx, { panelId })
      if (panel.status === 'ended' || left.signal.aborted) return panel
      await wait(everyMs, undefined, { signal: left.signal }).catch(() => undefined)
    }
  } finally {
    listensNoMore()
  }
}

/** Waits for the end of a panel and prints it. Returns its exit code. */
export async function followAndPrint(
  ctx: Ctx,
  panelId: string,
  { json }: CommonOptions,
): Promise<number> {
  const panel = await followPanel(ctx, panelId)
  if (json) printJson(panel)
  else printPanel(panel)
  return exitCodeOfPanel(panel)
}

/** Returns the exit code of the first member that did not complete; of a panel that was left, that of an interruption. */
function exitCodeOfPanel({ status, members }: PanelSummary): number {
  if (status === 'running') return exitCodes.interrupted
  const codes = members.map(({ run }) =>
    run?.endReason ? exitCodeOf(run.endReason, answeredAfterHops(run)) : exitCodes.failed,
  )
  return codes.find((code) => code !== exitCodes.ok) ?? exitCodes.ok
}

function answeredAfterHops({ answer, toolCalls }: NonNullable<Member['run']>): boolean {
  return answer.trim() !== '' && toolCalls.some(({ gate }) => gate === 'hop-budget')
}
