import 'server-only'
import type { Tx } from '@/lib/db'
import type { Actor } from '@/lib/protocol/tool'
import type { Subject } from '@/lib/runtime/policy/subject'
import { readFreeze } from '@/lib/settings/read-freeze'
import { readGroupsOff } from '@/lib/settings/read-groups-off'
import { listToolOverrides } from '@/lib/tool-settings/list-tool-overrides'

/**
 * What the gates need to know about one person's run at this moment. Inside the transaction that holds the policy
 * lock the answer stays true until it is committed. Throws when anything of it cannot be read: the answer is then no.
 */
export async function loadSubject(
  tx: Tx,
  asked: { userId: string; selected: readonly string[] | null },
): Promise<Subject> {
  const actor = await readActor(tx, asked.userId)
  const freeze = await readFreeze(tx)
  const groupsOff = await readGroupsOff(tx)
  const overrides = await listToolOverrides(tx)
  return {
    actor,
    frozen: freeze && { reason: freeze.reason, by: freeze.by },
    groupsOff,
    overrides: new Map(
      overrides.map(({ toolName, enabled, reason, changedByLabel, changedAt }) => [
        toolName,
        { enabled, reason, changedBy: changedByLabel, changedAt: changedAt.getTime() },
      ]),
    ),
    selected: asked.selected && new Set(asked.selected),
  }
}

/** Null for people who were removed or disabled: they may use nothing any more. */
async function readActor(tx: Tx, userId: string): Promise<Actor | null> {
  const user = await tx.user.findFirst({ where: { id: userId, deletedAt: null, disabledAt: null } })
  return user && { userId: user.id, email: user.email, role: user.role }
}
