import type { Tx } from '../../kernel/db'
import type { ToolOverride } from './schemas'

/** Every stored override, by tool name. Read inside the transaction that decides a call (SPEC G-F). */
export function listToolOverrides(tx: Tx): Promise<ToolOverride[]> {
  return tx.toolOverride.findMany({
    select: { toolName: true, enabled: true, reason: true, changedByLabel: true, changedAt: true },
    orderBy: { toolName: 'asc' },
  })
}
