import { Prisma } from '../../generated/prisma/client'
import { auditLabel, type Ctx } from '../../kernel/context'
import type { SkillFile } from './schemas'

/** The row of one version of a skill, as whoever brought it leaves it. */
export function newVersion(ctx: Ctx, version: number, file: SkillFile) {
  return {
    version,
    description: file.description,
    allowedTools: file.allowedTools ?? Prisma.DbNull,
    frontMatter: file.frontMatter,
    body: file.body,
    checksum: file.checksum,
    bytes: file.bytes,
    createdByLabel: auditLabel(ctx),
  }
}

/** What the audit keeps of a version: enough to recognise it, never its text. */
export function auditFacts(
  version: number,
  {
    name,
    checksum,
    bytes,
    allowedTools,
  }: Pick<SkillFile, 'name' | 'checksum' | 'bytes' | 'allowedTools'>,
) {
  return { name, version, checksum, bytes, allowedTools }
}
