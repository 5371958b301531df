import type { Tx } from '../../kernel/db'
import { ValidationError } from '../../kernel/errors'

export async function requireGroups(tx: Tx, groupIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(groupIds)]
  const found = await tx.group.count({ where: { id: { in: wanted } } })
  if (found !== wanted.length) {
    throw new ValidationError({ groupIds: 'A group no longer exists.' })
  }
}
