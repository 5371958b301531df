import 'server-only'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'
import { toolsByName } from '@/lib/toolset/installed-tools'
import { loadSubject } from '@/lib/toolset/load-subject'

/** `mayDeny`: denying a call needs fewer rights than approving it. */
export type MayDecide = { allowed: true } | { allowed: false; reason: string; mayDeny: boolean }

/**
 * What the approvals of a run are judged by. `fourEyes`: its configuration requires a second person, or did when the
 * run started. The long texts of the snapshot, system prompt and bodies of skills, are empty.
 */
export type ApprovalRun = {
  userId: string
  fourEyes: boolean
  snapshot: RunSnapshot
  selected: readonly string[] | null
}

/**
 * Returns whether this person may approve a call of this tool: the gates must allow them the tool now, and they must
 * not have started the run where a second person is required (SPEC G-A).
 */
export async function mayDecide(
  tx: Tx,
  ctx: Ctx,
  run: ApprovalRun,
  toolName: string,
): Promise<MayDecide> {
  return (await rightsOver(tx, ctx, run))(toolName)
}

/** Returns `mayDecide` for all tools of one run, with one statement. */
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
