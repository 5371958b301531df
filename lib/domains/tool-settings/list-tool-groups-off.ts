import type { Tx } from '../../kernel/db'

/** A tool group that an admin switched off, with who, why and when. */
export type ToolGroupOff = {
  toolGroup: string
  reason: string
  changedByLabel: string
  changedAt: Date
}

/** Every switched-off group, by name. No row = its tools' own switches count. */
export function listToolGroupsOff(tx: Tx): Promise<ToolGroupOff[]> {
  return tx.toolGroupOff.findMany({
    select: { toolGroup: true, reason: true, changedByLabel: true, changedAt: true },
    orderBy: { toolGroup: 'asc' },
  })
}
