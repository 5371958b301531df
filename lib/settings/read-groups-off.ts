import { z } from 'zod'
import type { Tx } from '../db'

export const groupsOffKey = 'tool-groups-off'

const GroupsOff = z.array(z.string())

/** Tool groups an admin switched off. A value that cannot be read throws: the gates then say no. */
export async function readGroupsOff(tx: Tx): Promise<ReadonlySet<string>> {
  const row = await tx.setting.findUnique({ where: { key: groupsOffKey } })
  return new Set(row ? GroupsOff.parse(row.value) : [])
}
