import 'server-only'
import { z } from 'zod'
import type { Confirmation } from '@/lib/auth/typed-confirmation'
import { ReasonText } from '@/lib/domains/audit/shared/audit-reason'
import type { JudgedCase } from '@/lib/domains/policy-cases/shape'
import { whereCanSignIn } from '@/lib/domains/users/admins'
import { type BrokenCase, type Ctx, type WaysOut, waysOutOf } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { type AppError, BrokenCasesError, UnconfirmedError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { ApprovalRule } from '@/lib/protocol/approval'
import { AfterUntrusted } from '@/lib/protocol/flow'
import { ToolLimits } from '@/lib/protocol/key-limits'
import { AllowedNames } from '@/lib/protocol/tool-access'
import { nobodyCanApprove, refusalHash } from '@/lib/protocol/typed-confirmation'
import { installedTools } from '@/lib/toolset/tools/installed-tools'
import { cleanText } from '@/lib/words/clean-text'
import { judgeAllCases } from './judge-cases'
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

/** Texts with which a caller confirms the effects of a change; null = not. */
export type Confirmations = {
  nobodyLeft: Confirmation | null
  brokenCases: Confirmation | null
  /** False = a refusal only counts the cases. Left out: it names them. */
  mayReadCases?: boolean
}

/** Returns a text without line breaks and characters that show nothing. */
function oneLine(text: string): string {
  return cleanText(text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')).trim()
}

/** Returns whether a text confirms the effects that a refusal names: those that the caller read, where the text says which. */
function confirms(confirmation: Confirmation | null, { message }: AppError): boolean {
  const { read = refusalHash(message) } = confirmation ?? {}
  return read === refusalHash(message)
}

/**
 * Returns what refuses a change after which nobody could approve calls that somebody could approve before, or that breaks policy
 * cases.
 */
export function keepingWaysOut({ nobodyLeft, brokenCases, mayReadCases = true }: Confirmations): {
  waysOut: WaysOut
} {
  const requireConfirmed = (lost: readonly string[]) => {
    if (lost.length === 0) return
    const refusal = new UnconfirmedError(lost)
    const isTyped = nobodyLeft?.typed.trim().toLowerCase() === nobodyCanApprove
    if (!isTyped || !confirms(nobodyLeft, refusal)) throw refusal
  }
  const requireReason = (broken: readonly BrokenCase[]) => {
    if (broken.length === 0) return ''
    const refusal = new BrokenCasesError(mayReadCases ? broken : broken.length)
    const reason = oneLine(brokenCases?.typed ?? '')
    if (reason === '' || !confirms(brokenCases, refusal)) throw refusal
    return parseInput(z.object({ breakReason: ReasonText }), { breakReason: reason }).breakReason
  }
  return {
    waysOut: {
      requireConfirmed,
      requireReason,
      keep: async (tx, work, { approvals, cases }) => {
        const site = approvals ? await readApprovalSite(tx) : null
        const judged = cases ? await judgeAllCases(tx) : []
        const result = await work()
        const lost = site ? lostWays(site, await readApprovalSite(tx)) : []
        requireConfirmed(lost)
        const broken = judged.length > 0 ? newlyBroken(judged, await judgeAllCases(tx)) : []
        return { result, confirmed: { lost, broken, breakReason: requireReason(broken) } }
      },
    },
  }
}

/**
 * Returns the cases that fail after a change and did not before it. One that is gone then is left out: it says so in the list, and
 * nobody has to give a reason for suspending an account. One that comes back and fails is among them.
 */
function newlyBroken(before: readonly JudgedCase[], after: readonly JudgedCase[]): BrokenCase[] {
  const failed = new Set(before.flatMap(({ id, verdict }) => (verdict === 'failed' ? [id] : [])))
  return after.filter(({ id, verdict }) => verdict === 'failed' && !failed.has(id))
}

/** Returns the context for the steps of a change whose effects on policy cases are checked as a whole. */
export function withoutCaseChecks(ctx: Ctx): Ctx {
  const waysOut = waysOutOf(ctx)
  if (!waysOut) return ctx
  const keep: WaysOut['keep'] = (tx, work, questions) =>
    waysOut.keep(tx, work, { ...questions, cases: false })
  return { ...ctx, waysOut: { ...waysOut, keep } }
}
