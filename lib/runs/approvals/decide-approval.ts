import 'server-only'
import { z } from 'zod'
import { DecideApproval } from '@/lib/domains/approvals/schemas'
import { changed, verb } from '@/lib/edge/verb'
import { parseArguments } from '@/lib/engines/runtime/call/execute-tool'
import type { Approval } from '@/lib/generated/prisma/client'
import { authorId, type Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { runningEngine } from '@/lib/runs/engine/engine'
import { channels } from '@/lib/runs/journal/notifications'
import { inRunDatabase } from '@/lib/runs/require-run'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { mayDecide, readApprovalRuns } from './approval-rights'
import { visibleApprovals } from './visible-approvals'

type Asked = z.output<typeof DecideApproval>

const maxAuditedCharacters = 20_000

const statuses = { approve: 'approved', edit: 'edited', deny: 'denied' } as const

/**
 * The first decision counts (SPEC G-A). Throws ConflictError when the call was decided or has expired, waits with other
 * arguments than the person saw, or its run has ended or is ending; ForbiddenError when the person may not use the
 * tool, or started the run and its configuration or a rule requires a second person; ValidationError for edited arguments that
 * the tool would refuse; NotFoundError for approvals the caller may not see.
 */
export const decideApproval = verb({
  name: 'approval.decide',
  role: 'member',
  scope: 'approvals:write',
  summary: 'Approves, edits or denies a call that waits.',
  input: DecideApproval,
  output: z.object({
    approvalId: z.string(),
    runId: z.string(),
    status: z.enum(['approved', 'edited', 'denied']),
  }),
  audits: ['approval.approve', 'approval.edit', 'approval.deny'],
  transaction: inRunDatabase,
  run: async ({ tx, ctx }, input) => {
    const id = parseId(input.approvalId, 'This approval')
    const approval = await tx.approval.findFirst({
      where: { AND: [{ id }, await visibleApprovals(ctx, tx)] },
    })
    if (!approval) throw new NotFoundError('This approval')
    refuseStale(approval, input)
    await refuseUnlessAllowed(tx, ctx, approval, input)
    const { decision } = input
    const { runId, callId, toolName, argumentsText } = approval
    if (decision.type === 'edit') await checkEditedArguments(tx, toolName, decision.argumentsText)
    const status = statuses[decision.type]
    await writeAnswer(tx, ctx, input)
    await tx.$queryRaw`SELECT pg_notify(${channels.control}, ${runId}) IS NULL AS notified`
    const edited = decision.type === 'edit' && audited(decision.argumentsText)
    return changed(
      { approvalId: id, runId, status },
      {
        subject: id,
        action: `approval.${decision.type}` as const,
        before: { status: 'pending', ...audited(argumentsText) },
        after: { status, runId, callId, tool: toolName, ...edited },
        reason: decision.message,
      },
    )
  },
  afterCommit: ({ runId }) => runningEngine()?.applyChanges(runId),
})

/** Reports conflicts before rights are checked, for a clear message; `writeAnswer` enforces them. */
function refuseStale(approval: Approval, { argumentsHash }: Asked): void {
  if (approval.status !== 'pending') {
    throw new ConflictError(`This call is no longer waiting: it is ${approval.status}.`)
  }
  if (approval.argumentsHash !== argumentsHash) {
    throw new ConflictError('The arguments of this call changed. Look at the call again.')
  }
}

async function refuseUnlessAllowed(
  tx: Tx,
  ctx: Ctx,
  approval: Approval,
  { decision }: Asked,
): Promise<void> {
  const run = (await readApprovalRuns(tx, [approval.runId])).get(approval.runId)
  if (!run) throw new NotFoundError('This approval')
  const editedArguments = decision.type === 'edit' ? decision.argumentsText : null
  const answer = await mayDecide(tx, ctx, run, { ...approval, editedArguments })
  if (answer.allowed || (answer.mayDeny && decision.type === 'deny')) return
  throw new ForbiddenError(answer.reason)
}

/** Stores the answer. Of two concurrent decisions, only one finds the row pending. The time is the database's. */
async function writeAnswer(tx: Tx, ctx: Ctx, { approvalId, argumentsHash, decision }: Asked) {
  const editedArguments = decision.type === 'edit' ? decision.argumentsText : null
  const written = await tx.$executeRaw`
    UPDATE approvals a SET
      status = ${statuses[decision.type]}::"ApprovalStatus", message = ${decision.message},
      "editedArguments" = ${editedArguments}, "decidedAt" = now() AT TIME ZONE 'UTC',
      "decidedBy" = ${authorId(ctx)}::uuid, "decidedByLabel" = ${ctx.actor.email}
    WHERE a.id = ${approvalId}::uuid AND a.status = 'pending' AND a."argumentsHash" = ${argumentsHash}
      AND a."expiresAt" > now() AT TIME ZONE 'UTC'
      AND EXISTS (SELECT 1 FROM runs r
        WHERE r.id = a."runId" AND r.status <> 'ended' AND r."cancelledBy" IS NULL
          AND r.freezes = (SELECT freezes FROM policy_version))`
  if (written === 1) return
  throw new ConflictError(
    'This call is no longer waiting: it was decided, it expired, or its run is ending.',
  )
}

/** Returns arguments as a JSON value, so that the audit removes fields with secret names. */
function audited(argumentsText: string): { arguments: unknown } {
  if (argumentsText.length > maxAuditedCharacters) {
    return { arguments: `${argumentsText.length} characters, see the run` }
  }
  try {
    return { arguments: JSON.parse(argumentsText) }
  } catch {
    return { arguments: 'not JSON' }
  }
}

/** Throws ValidationError with the issues, a line each, when the tool would refuse the arguments (SPEC R11). */
async function checkEditedArguments(
  tx: Tx,
  toolName: string,
  argumentsText: string,
): Promise<void> {
  const tool = (await loadToolset(tx)).get(toolName)
  if (!tool) throw new ConflictError('This tool no longer exists.')
  const parsed = parseArguments(tool, argumentsText)
  if (parsed.ok) return
  throw new ValidationError({ argumentsText: parsed.issues.join('\n') })
}
