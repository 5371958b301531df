import 'server-only'
import type { Tx } from '@/lib/kernel/db'
import { ToolLimits } from '@/lib/protocol/key-limits'
import type { DraftGroup, PolicyDraft } from './policy-draft'

/** Reads the groups of people that a draft is about, by id: all of them, where it changes the groups of a person. */
export async function readDraftGroups(
  tx: Tx,
  { groups, people }: PolicyDraft,
): Promise<ReadonlyMap<string, DraftGroup>> {
  const rows = await tx.group.findMany({
    where: people.length > 0 ? {} : { id: { in: groups.map(({ id }) => id) } },
    include: { configurations: { select: { configurationId: true } } },
  })
  return new Map(
    rows.map(({ id, name, limits, configurations }) => [
      id,
      {
        name,
        limits: limits === null ? null : ToolLimits.parse(limits),
        configurations: configurations.map(({ configurationId }) => configurationId),
      },
    ]),
  )
}
