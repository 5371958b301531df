import { ApprovalFilter, type DecideApproval } from '@/lib/domains/approvals/schemas'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { decideApproval } from '@/lib/runs/decide-approval'
import { findApproval, listApprovals } from '@/lib/runs/list-approvals'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'

import { cutLine, printJson, printLine, printTable } from './print'
import { readStandardInput } from './read-standard-input'

export type ListApprovalsOptions = CommonOptions & { all?: boolean }
export type DecideOptions = CommonOptions & { hash?: string; message?: string }
export type EditOptions = DecideOptions & { arguments: string }

const maxArgumentBytes = 1024 * 1024

export async function printApprovals(options: ListApprovalsOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const filter = ApprovalFilter.parse({ status: options.all ? 'all' : 'pending', pageSize: 100 })
  const { rows, total } = await listApprovals(ctx, filter)
  if (options.json) return printJson(rows)
  printTable(
    ['ID', 'STATUS', 'TOOL', 'ARGUMENTS', 'RULE', 'STARTED BY', 'EXPIRES'],
    rows.map((row) => [
      row.approvalId,
      row.status,
      row.toolName,
      cutLine(row.editedArguments ?? row.argumentsText),
      row.ruleName,
      row.userEmail,
      row.expiresAt,
    ]),
  )
  if (total > rows.length) printLine(`Showing ${rows.length} of ${total}.`)
}

export async function decide(
  id: string,
  type: 'approve' | 'deny',
  options: DecideOptions,
): Promise<void> {
  await answer(id, options, { type, message: options.message })
}

export async function edit(id: string, options: EditOptions): Promise<void> {
  const argumentsText =
    options.arguments === '-' ? await readStandardInput(maxArgumentBytes) : options.arguments
  await answer(id, options, { type: 'edit', argumentsText, message: options.message })
}

async function answer(
  id: string,
  options: DecideOptions,
  decision: DecideApproval['decision'],
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const approvalId = parseId(id, 'The approval')
  const argumentsHash = options.hash ?? (await hashOf(ctx, approvalId))
  const decided = await decideApproval(ctx, { approvalId, argumentsHash, decision })
  if (options.json) return printJson({ approvalId, ...decided })
  printLine(`The call is ${decided.status}.`)
}

/** Arguments of a call that waits do not change: without `--hash` the answer is for what is there. */
async function hashOf(ctx: Ctx, approvalId: string): Promise<string> {
  const approval = await findApproval(ctx, approvalId)
  if (!approval) throw new NotFoundError('The approval')
  return approval.argumentsHash
}
