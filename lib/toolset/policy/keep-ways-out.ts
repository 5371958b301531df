import 'server-only'
import { z } from 'zod'
import type { Confirmation } from '@/lib/auth/typed-confirmation'
import { whereCanSignIn } from '@/lib/domains/users/admins'
import { type Ctx, type WaysOut, waysOutOf } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { UnconfirmedError } from '@/lib/kernel/errors'
import { ApprovalRule } from '@/lib/protocol/approval'
import { AfterUntrusted } from '@/lib/protocol/flow'
import { ToolLimits } from '@/lib/protocol/key-limits'
import { AllowedNames } from '@/lib/protocol/tool-access'
import { nobodyCanApprove, refusalHash } from '@/lib/protocol/typed-confirmation'
import { installedTools } from '@/lib/toolset/tools/installed-tools'
import { approvalsWithDraft, type PolicyDraft } from './policy-draft'
import { type ApprovalSite, lostWays } from './ways-out'

/** Reads the facts of the site that decide who may approve which calls. */
async function readApprovalSite(tx: Tx): Promise<ApprovalSite> {
  const members = { select: { groupId: true } } as const
  const people = await tx.user.findMany({
    where: { deletedAt: null, ...whereCanSignIn() },
    select: { id: true, email: true, role: true, memberships: members },
    orderBy: { email: 'asc' },
  })
  const groups = await tx.group.findMany({ select: { id: true, name: true, limits: true } })
  const configurations = await tx.configuration.findMany({
    include: { groups: members },
    orderBy: { name: 'asc' },
  })
  const rules = await tx.approvalRule.findMany({
    where: { enabled: true },
    orderBy: { name: 'asc' },
  })
  const approvals = await tx.toolApproval.findMany({ select: { toolName: true, asks: true } })
  const keys = await tx.apiKey.findMany({
    where: { id: { in: rules.flatMap(({ apiKeyId }) => apiKeyId ?? []) }, revokedAt: null },
    select: { id: true, userId: true },
  })
  return {
    people: people.map(({ memberships, ...person }) => ({
      ...person,
      groups: memberships.map(({ groupId }) => groupId),
    })),
    groups: new Map(
      groups.map(({ id, name, limits }) => [
        id,
        { name, limits: limits === null ? null : ToolLimits.parse(limits) },
      ]),
    ),
    configurations: configurations.map((row) => ({
      ...AllowedNames.parse(row),
      id: row.id,
      name: row.name,
      fourEyes: row.fourEyes,
      afterUntrusted: AfterUntrusted.parse(row.afterUntrusted),
      groups: row.groups.map(({ groupId }) => groupId),
    })),
    approvalRules: z.array(ApprovalRule).parse(rules),
    toolApprovals: new Map(approvals.map(({ toolName, asks }) => [toolName, asks])),
    keyOwners: new Map(keys.map(({ id, userId }) => [id, userId])),
    schedules: await readSchedules(tx),
    tasks: await tx.task.findMany({
      where: { enabled: true },
      select: { id: true, name: true, configurationId: true, authors: true },
    }),
    tools: await installedTools(tx),
  }
}

async function readSchedules(tx: Tx): Promise<ApprovalSite['schedules']> {
  const schedules = await tx.schedule.findMany({ where: { enabled: true } })
  const ids = schedules.flatMap(({ taskId }) => taskId ?? [])
  const tasks = await tx.task.findMany({ where: { id: { in: ids } } })
  const taskOf = new Map(tasks.map((task) => [task.id, task]))
  return schedules.map(({ name, userId, configurationId, taskId, createdById, authors }) => {
    const task = taskOf.get(taskId ?? '')
    const written = [createdById, ...authors, ...(task?.authors ?? [])]
    return {
      name,
      userId,
      configurationId: configurationId ?? task?.configurationId ?? null,
      authors: written.flatMap((id) => id ?? []),
    }
  })
}

/** Returns what nobody could approve with a draft of the policy and somebody can approve now, in sentences. */
export async function lostWithDraft(tx: Tx, draft: PolicyDraft): Promise<string[]> {
  const site = await readApprovalSite(tx)
  return lostWays(site, approvalsWithDraft(site, draft))
}

/** Throws UnconfirmedError for a draft after which nobody could approve some calls, unless the caller confirmed that. */
export async function requireWaysOut(ctx: Ctx, draft: PolicyDraft): Promise<void> {
  const waysOut = waysOutOf(ctx)
  if (waysOut) waysOut.requireConfirmed(await lostWithDraft(db(), draft))
}

/**
 * Returns what refuses a change after which nobody could approve calls that somebody could approve before. `confirmation`: the
 * caller's; null = none.
 */
export function keepingWaysOut(confirmation: Confirmation | null): { waysOut: WaysOut } {
  const requireConfirmed = (lost: readonly string[]) => {
    if (lost.length === 0) return
    const refusal = new UnconfirmedError(lost)
    const { typed, read = refusalHash(refusal.message) } = confirmation ?? { typed: '' }
    const isTyped = typed.trim().toLowerCase() === nobodyCanApprove
    if (!isTyped || read !== refusalHash(refusal.message)) throw refusal
  }
  return {
    waysOut: {
      requireConfirmed,
      keep: async (tx, work) => {
        const before = await readApprovalSite(tx)
        const result = await work()
        const lost = lostWays(before, await readApprovalSite(tx))
        requireConfirmed(lost)
        return { result, lost }
      },
    },
  }
}
