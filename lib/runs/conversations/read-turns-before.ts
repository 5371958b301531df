import 'server-only'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { type TurnBefore, turnBefore } from '@/lib/protocol/run/turn-before'
import { runningEngine } from '@/lib/runs/engine/engine'
import { requireRun } from '@/lib/runs/require-run'
import { openTurnMemory, readTurns } from './earlier-turns'

/** Returns the turns before a run, the oldest first: whoever may see a turn may see those before it (SPEC C1). */
export async function readTurnsBefore(ctx: Ctx, runId: string): Promise<TurnBefore[]> {
  const { continues } = await requireRun(ctx, runId)
  const turns = await readTurns(db(), runningEngine()?.turns ?? openTurnMemory(), continues)
  return turns.map((turn) => turnBefore(turn.runId, turn.state))
}
