import type { Tx } from '@/lib/kernel/db'

/** Author, reason and time of a switch. */
type Author = { reason: string; changedByLabel: string; changedAt: Date }

/** An admin's switch for one tool. No row = the tool's own default. */
export type ToolOverride = Author & { toolName: string; enabled: boolean }

/** An admin's answer whether calls of one tool wait for approval. No row = they do if it writes. */
export type ToolApproval = Author & { toolName: string; asks: boolean }

/** A tool group that an admin switched off. */
export type ToolGroupOff = Author & { toolGroup: string }

const author = { reason: true, changedByLabel: true, changedAt: true } as const

/** Returns every stored override, by tool name. Read inside the transaction that decides a call (SPEC G-F). */
export function listToolOverrides(tx: Tx): Promise<ToolOverride[]> {
  return tx.toolOverride.findMany({
    select: { toolName: true, enabled: true, ...author },
    orderBy: { toolName: 'asc' },
  })
}

/** Returns what is stored about the approval of tools, by tool name. */
export function listToolApprovals(tx: Tx): Promise<ToolApproval[]> {
  return tx.toolApproval.findMany({
    select: { toolName: true, asks: true, ...author },
    orderBy: { toolName: 'asc' },
  })
}

/** Limits for starts of a tool's calls; null: none. */
export type ToolLimit = { toolName: string; perMinute: number | null; perRun: number | null }

/** Returns every stored limit. No row = the tool has none. */
export function listToolLimits(tx: Tx): Promise<ToolLimit[]> {
  return tx.toolLimit.findMany({ select: { toolName: true, perMinute: true, perRun: true } })
}

/** Returns every switched-off group, by name. No row = its tools' own switches count. */
export function listToolGroupsOff(tx: Tx): Promise<ToolGroupOff[]> {
  return tx.toolGroupOff.findMany({
    select: { toolGroup: true, ...author },
    orderBy: { toolGroup: 'asc' },
  })
}
