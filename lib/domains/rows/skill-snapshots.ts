import { z } from 'zod'
import type { Prisma, Skill } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import type { SkillSnapshot } from '@/lib/protocol/run/run-snapshot'

/**
 * Rows of an attachment that count: enabled there and by itself, its file there, no change of it waiting (SPEC G-S).
 */
export const countingAttachment = {
  enabled: true,
  skill: { enabled: true, orphanedAt: null, pendingVersion: null },
} as const satisfies Prisma.ConfigurationSkillWhereInput & Prisma.TaskSkillWhereInput

const Names = z.array(z.string()).nullable()

/**
 * Returns skills as a run stores them, in the given order, each in its current version, which may not be the newest.
 * Throws when one has no current version, because nobody would know what it forbids.
 */
export async function skillSnapshots(
  tx: Tx,
  skills: readonly Pick<Skill, 'id' | 'name' | 'version'>[],
): Promise<SkillSnapshot[]> {
  if (skills.length === 0) return []
  const current = skills.map(({ id: skillId, version }) => ({ skillId, version }))
  const rows = await tx.skillVersion.findMany({ where: { OR: current } })
  const rowOf = new Map(rows.map((row) => [row.skillId, row]))
  return skills.map(({ id, name, version }) => {
    const row = rowOf.get(id)
    if (!row) throw new Error(`The skill ${id} has no version ${version}.`)
    const { description, checksum, body } = row
    const allowedTools = Names.parse(row.allowedTools)
    return { skillId: id, name, version, description, checksum, allowedTools, body }
  })
}
