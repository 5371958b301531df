import 'server-only'
import { z } from 'zod'
import { readUnnotified } from '@/lib/domains/approvals/deliver-notices'
import {
  ApprovalFilter,
  approvalDecisions,
  type DecidedSort,
  type DecidedSortKey,
} from '@/lib/domains/approvals/schemas'
import { ApprovalContext } from '@/lib/domains/approvals/shared/approval-context'
import { verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { Preview } from '@/lib/protocol/look'
import { type SortDirection, sortParts } from '@/lib/shape/sort-order'
import { readApprovalContexts } from './approval-context'
import { MayDecide, readApprovalRuns, rightsOver } from './approval-rights'
import { findDecidable } from './decidable-approvals'
import { visibleApprovals } from './visible-approvals'

const excerptCharacters = 200

/** One call that waits or waited for a person. Times are ISO text in UTC, `argumentsHash` is hexadecimal. */
const ApprovalRow = z.object({
  approvalId: z.string(),
  runId: z.string(),
  callId: z.string(),
  round: z.number(),
  toolName: z.string(),
  argumentsText: z.string(),
  argumentsHash: z.string(),
  ruleName: z.string(),
  /** An approval covers other calls of the tool in this run that match the rule. */
  once: z.boolean(),
  /** The rule because of which whoever started the run may not decide; null = there was none when it was asked about. */
  fourEyesRule: z.string().nullable(),
  status: z.enum(['pending', ...approvalDecisions]),
  requestedAt: z.string(),
  expiresAt: z.string(),
  decidedAt: z.string().nullable(),
  decidedByLabel: z.string().nullable(),
  editedArguments: z.string().nullable(),
  message: z.string(),
  configurationName: z.string(),
  runPrompt: z.string(),
  userEmail: z.string(),
  /** The target of a waiting call before it; null: its tool cannot look. */
  preview: Preview.nullable(),
  /** For calls that wait: what else the approver should know; null = it was decided. */
  context: ApprovalContext.nullable(),
  /** Right of the caller to decide. */
  mayDecide: MayDecide,
  /** It waits, and no channel took a message about it, though one or more should have. */
  nobodyTold: z.boolean(),
})
export type ApprovalRow = z.infer<typeof ApprovalRow>

export const listApprovals = verb({
  name: 'approval.list',
  role: 'member',
  scope: 'approvals:read',
  summary: 'Lists calls that wait for approval, or were decided.',
  input: ApprovalFilter,
  output: z.object({
    approvals: z.array(ApprovalRow),
    total: z.number(),
    page: z.number(),
    pageSize: z.number(),
  }),
  transaction: false,
  run: async ({ ctx }, filter) => {
    const { page, pageSize } = filter
    return { ...(await readApprovals(ctx, filter)), page, pageSize }
  },
})

/**
 * Returns one page of the approvals the caller may see (admins all, members those of their own runs), and how many
 * match in all. `sort` applies to decided ones; without it, each status has its own order.
 */
export async function readApprovals(
  ctx: Ctx,
  filter: ApprovalFilter,
  sort?: DecidedSort,
): Promise<{ approvals: ApprovalRow[]; total: number }> {
  const matching = {
    AND: [
      await visibleApprovals(ctx),
      withStatus(filter.status),
      withDecision(filter),
      matches(filter),
    ],
  }
  const where = filter.who === 'me' ? { id: { in: await findDecidable(ctx, matching) } } : matching
  const [found, total] = await Promise.all([
    db().approval.findMany({
      where,
      orderBy: sort ? sortedBy(sort) : orderOf(filter.status),
      skip: (filter.page - 1) * filter.pageSize,
      take: filter.pageSize,
      include: withRun,
    }),
    db().approval.count({ where }),
  ])
  return { approvals: await toRows(ctx, found), total }
}

export const findApproval = verb({
  name: 'approval.find',
  role: 'member',
  scope: null,
  summary: 'Returns one approval as it is now; null when the caller may see none with this id.',
  input: z.object({ approvalId: z.uuid() }),
  output: ApprovalRow.nullable(),
  transaction: false,
  run: async ({ ctx }, { approvalId }) => {
    const approval = await db().approval.findFirst({
      where: { AND: [{ id: approvalId }, await visibleApprovals(ctx)] },
      include: withRun,
    })
    return (approval && (await toRows(ctx, [approval]))[0]) ?? null
  },
})

/** Returns how many pending approvals the caller may see, for the number beside the inbox. */
export async function countPendingApprovals(ctx: Ctx): Promise<number> {
  const visible = await visibleApprovals(ctx)
  return db().approval.count({ where: { AND: [visible, { status: 'pending' }] } })
}

function withStatus(status: ApprovalFilter['status']): Prisma.ApprovalWhereInput {
  switch (status) {
    case 'pending':
      return { status: 'pending' }
    case 'decided':
      return { NOT: { status: 'pending' } }
    case 'all':
      return {}
    default:
      return status satisfies never
  }
}

function withDecision({ decision }: ApprovalFilter): Prisma.ApprovalWhereInput {
  return decision === undefined ? {} : { status: decision }
}

function matches({ search }: ApprovalFilter): Prisma.ApprovalWhereInput {
  if (!search) return {}
  const contains = {
    contains: search.replace(/[\\%_]/g, '\\$&'),
    mode: Prisma.QueryMode.insensitive,
  }
  return {
    OR: [
      { toolName: contains },
      { ruleName: contains },
      { run: { prompt: contains } },
      { run: { user: { email: contains } } },
    ],
  }
}

/** Returns the order: pending ones oldest first, all others newest first. */
function orderOf(status: ApprovalFilter['status']): Prisma.ApprovalOrderByWithRelationInput[] {
  switch (status) {
    case 'pending':
      return [{ requestedAt: 'asc' }, { id: 'asc' }]
    case 'decided':
      return [{ decidedAt: { sort: 'desc', nulls: 'last' } }, { id: 'desc' }]
    case 'all':
      return [{ requestedAt: 'desc' }, { id: 'desc' }]
    default:
      return status satisfies never
  }
}

const columns = {
  call: (way) => ({ toolName: way }),
  rule: (way) => ({ ruleName: way }),
  'run-by': (way) => ({ run: { user: { email: way } } }),
  'decided-by': (way) => ({ decidedByLabel: { sort: way, nulls: 'last' } }),
  decided: (way) => ({ decidedAt: { sort: way, nulls: 'last' } }),
} satisfies Record<DecidedSortKey, (way: SortDirection) => Prisma.ApprovalOrderByWithRelationInput>

function sortedBy(sort: DecidedSort): Prisma.ApprovalOrderByWithRelationInput[] {
  const { key, direction } = sortParts(sort)
  return [columns[key](direction), { id: 'desc' }]
}

const withRun = {
  run: {
    select: {
      prompt: true,
      user: { select: { email: true } },
      configuration: { select: { name: true } },
    },
  },
} as const satisfies Prisma.ApprovalInclude

type Found = Prisma.ApprovalGetPayload<{ include: typeof withRun }>

async function toRows(ctx: Ctx, approvals: Found[]): Promise<ApprovalRow[]> {
  const open = approvals.filter(({ status }) => status === 'pending')
  const runIds = [...new Set(open.map(({ runId }) => runId))]
  const runs = await readApprovalRuns(db(), runIds)
  const rights = await rightsOver(db(), ctx, [...runs.values()])
  const previews = await readPreviews(open)
  const unnotified = await readUnnotified(
    db(),
    open.map(({ id }) => id),
  )
  const contextOf = await readApprovalContexts(db(), runIds)
  return approvals.map((approval) => {
    const { id, status, runId, toolName } = approval
    if (status !== 'pending') return toRow(approval, decided)
    const run = runs.get(runId)
    return toRow(approval, {
      mayDecide: run ? rights(run, approval) : decided.mayDecide,
      nobodyTold: unnotified.has(id),
      preview: previews.get(id) ?? null,
      context: contextOf(runId, toolName),
    })
  })
}

const StoredPreview = z.object({ id: z.string(), preview: Preview })

/** Reads what the tools of these calls saw, from the journals of their runs. */
async function readPreviews(open: readonly Found[]): Promise<Map<string, Preview>> {
  if (open.length === 0) return new Map()
  const waiting = open.map(({ id, runId }) => ({ id, runId }))
  const rows = await db().$queryRaw<unknown[]>`
    SELECT q.id, e.data->'preview' AS preview
    FROM jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb) AS q(id text, "runId" uuid)
    JOIN run_events e ON e."runId" = q."runId" AND e.type = 'approval-request'
      AND e.data->>'approvalId' = q.id AND e.data ? 'preview'`
  return new Map(
    StoredPreview.array()
      .parse(rows)
      .map(({ id, preview }) => [id, preview]),
  )
}

/** Fields that only a waiting call has. */
type Open = Pick<ApprovalRow, 'mayDecide' | 'nobodyTold' | 'preview' | 'context'>

const decided: Open = {
  mayDecide: {
    allowed: false,
    reason: 'This call no longer needs a decision.',
    mayDeny: false,
  },
  nobodyTold: false,
  preview: null,
  context: null,
}

function toRow({ run, ...approval }: Found, open: Open): ApprovalRow {
  return {
    approvalId: approval.id,
    runId: approval.runId,
    callId: approval.callId,
    round: approval.round,
    toolName: approval.toolName,
    argumentsText: approval.argumentsText,
    argumentsHash: approval.argumentsHash,
    ruleName: approval.ruleName,
    once: approval.once,
    fourEyesRule: approval.fourEyesRule,
    status: approval.status,
    requestedAt: approval.requestedAt.toISOString(),
    expiresAt: approval.expiresAt.toISOString(),
    decidedAt: approval.decidedAt?.toISOString() ?? null,
    decidedByLabel: approval.decidedByLabel,
    editedArguments: approval.editedArguments,
    message: approval.message,
    configurationName: run.configuration?.name ?? 'deleted configuration',
    runPrompt: run.prompt.slice(0, excerptCharacters),
    userEmail: run.user.email,
    ...open,
  }
}
