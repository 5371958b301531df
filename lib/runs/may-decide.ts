import 'server-only'
import type { Ctx } from '@/lib/context'
import type { Tx } from '@/lib/db'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'
import { decideTool } from '@/lib/runtime/policy/decide-tool'
import { toolsByName } from '@/lib/toolset/installed-tools'
import { loadSubject } from '@/lib/toolset/load-subject'

/** `mayDeny`: to say no narrows, so it takes less than to say yes. */
export type MayDecide = { allowed: true } | { allowed: false; reason: string; mayDeny: boolean }

/**
 * What of a run its approvals are judged by. `fourEyes`: its configuration asks for them, or did when the run began.
 * The snapshot is without its long texts: system prompt and bodies of skills are empty.
 */
export type ApprovalRun = {
  userId: string
  fourEyes: boolean
  snapshot: RunSnapshot
  selected: readonly string[] | null
}

/**
 * Whether this person may let a call of this tool run: they must be allowed to use the tool themselves, by the gates
 * of this moment, and be somebody else than whoever started the run where four eyes are asked for (SPEC G-A).
 */
export async function mayDecide(
  tx: Tx,
  ctx: Ctx,
  run: ApprovalRun,
  toolName: string,
): Promise<MayDecide> {
  return (await rightsOver(tx, ctx, run))(toolName)
}

/** The same for all tools of one run, in one statement. */
export async function rightsOver(
  tx: Tx,
  ctx: Ctx,
  run: ApprovalRun,
): Promise<(toolName: string) => MayDecide> {
  if (ctx.actor.userId === run.userId && run.fourEyes) {
    const reason =
      'You started this run, and its configuration requires that somebody else decides (four eyes).'
    return () => ({ allowed: false, reason, mayDeny: false })
  }
  const { snapshot, selected } = run
  const subject = await loadSubject(tx, { userId: ctx.actor.userId, snapshot, selected })
  const tools = await toolsByName()
  return (toolName) => {
    const verdict = decideTool(tools.get(toolName), subject)
    if (verdict.allowed) return { allowed: true }
    const reason = `You may not use this tool yourself. ${verdict.reason}`
    return { allowed: false, reason, mayDeny: true }
  }
}
