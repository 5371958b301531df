import 'server-only'
import { type MadeChange, makeChange } from '@/lib/edge/verb'
import type { GivenDecision } from '@/lib/engines/runtime/deps'
import type { Approval, Prisma } from '@/lib/generated/prisma/client'
import { systemCtx } from '@/lib/kernel/context'
import { type ChangeTx, type Database, type Tx, withTransaction } from '@/lib/kernel/db'
import type { ApprovalDecision } from '@/lib/protocol/approval'
import { addCost } from '@/lib/protocol/cost/cost'
import { type CapDecision, CostCapChoice } from '@/lib/protocol/cost/money'
import type { ApprovalView, CallView } from '@/lib/protocol/run/round-view'

type Client = Database['client']

/**
 * Returns the stored decisions on pending calls (SPEC G-A) and expires those whose time is over by the database clock.
 * A decision counts only for the exact arguments that the journal asked about.
 */
export async function readDecisions(
  client: Client,
  waiting: readonly CallView[],
): Promise<GivenDecision[]> {
  const views = waiting.flatMap(({ approval }) => (approval ? [approval] : []))
  const ids = views.map(({ approvalId }) => approvalId)
  await expireApprovals(client, ids)
  const rows = await client.approval.findMany({ where: { id: { in: ids } } })
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  return views.flatMap((view) => {
    const decision = decisionOn(view, rowOf.get(view.approvalId))
    return decision ? [{ approvalId: view.approvalId, decision }] : []
  })
}

async function expireApprovals(client: Client, ids: string[]): Promise<void> {
  const due = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM approvals
    WHERE id = ANY(${ids}::uuid[]) AND status = 'pending'
      AND "expiresAt" <= now() AT TIME ZONE 'UTC'`
  const inItsDatabase = <T>(work: (tx: Tx) => Promise<T>) => withTransaction(work, client)
  for (const { id } of due) await makeChange((tx) => expireApproval(tx, id), inItsDatabase)
}

async function expireApproval(tx: ChangeTx, id: string): Promise<MadeChange<void>> {
  const { count } = await tx.approval.updateMany({
    where: { id, status: 'pending' },
    data: { status: 'expired', decidedAt: new Date() },
  })
  if (count === 0) return { output: undefined, changes: [] }
  const [before, after] = [{ status: 'pending' }, { status: 'expired' }]
  const change = { by: systemCtx(), action: 'approval.expire', subject: id, before, after } as const
  return { output: undefined, changes: [change] }
}

/**
 * Returns the decision of a row; null = pending. An approval that is gone or has other arguments can never be answered,
 * so it counts as expired.
 */
function decisionOn(view: ApprovalView, row: Approval | undefined): ApprovalDecision | null {
  if (!row || row.argumentsHash !== view.argumentsHash) return { type: 'expired' }
  const by = row.decidedByLabel ?? 'unknown'
  const { message } = row
  const author = { by, ...(row.decidedBy && { userId: row.decidedBy }) }
  switch (row.status) {
    case 'pending':
      return null
    case 'approved':
      return { type: 'approved', ...author, message }
    case 'edited':
      return row.editedArguments === null
        ? { type: 'expired' }
        : { type: 'edited', ...author, message, argumentsText: row.editedArguments }
    case 'denied':
      return { type: 'denied', by, message }
    case 'expired':
    case 'void':
      return { type: 'expired' }
    default:
      return row.status satisfies never
  }
}

/** Returns the current choice for the cost caps of this run, and the last choice of an admin; null = none (SPEC M4). */
export async function readCostCapChoice(tx: Tx, runId: string): Promise<CapDecision | null> {
  return capDecisionOf(await tx.run.findUniqueOrThrow({ where: { id: runId }, select: chosen }))
}

/** Returns the current choice for the cost cap of a panel, and the last choice of an admin; null = none (SPEC Q3). */
export async function readPanelCapChoice(tx: Tx, panelId: string): Promise<CapDecision | null> {
  return capDecisionOf(await tx.panel.findUniqueOrThrow({ where: { id: panelId }, select: chosen }))
}

const chosen = { costCapChoice: true, costCapChosenBy: true, costCapByAdmin: true } as const

/** Returns what the row of a run or a panel says about its cost cap; null = nobody chose. */
export function capDecisionOf(row: Record<keyof typeof chosen, string | null>): CapDecision | null {
  const choice = CostCapChoice.nullable().parse(row.costCapChoice)
  const byAdmin = CostCapChoice.nullable().parse(row.costCapByAdmin)
  return choice && { choice, by: row.costCapChosenBy ?? 'unknown', byAdmin }
}

/** Returns what the other members of a panel have cost so far, micro-USD; null = the cost of one of them is unknown. */
export async function readPanelCost(
  tx: Tx,
  { panelId, runId }: { panelId: string; runId: string },
): Promise<number | null> {
  return costOf(tx, { panelId, NOT: { id: runId } })
}

/** Returns what the runs have cost so far that calls of this run started, micro-USD; null = the cost of one of them is unknown. */
export async function readChildCost(tx: Tx, runId: string): Promise<number | null> {
  return costOf(tx, { parentRunId: runId })
}

async function costOf(tx: Tx, where: Prisma.RunWhereInput): Promise<number | null> {
  const runs = await tx.run.findMany({ where, select: { costMicroUsd: true } })
  return runs.reduce<number | null>(
    (sum, { costMicroUsd: cost }) => addCost(sum, cost === null ? null : Number(cost)),
    0,
  )
}
