import type { SkillVersion } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { listed, toSkillListing } from './list-skills'
import { AllowedTools, FrontMatter, type SkillListing, type SkillVersionView } from './schemas'
import { skillFileText } from './skill-file-text'

/** `history` is newest first; a version that waits to be accepted is its first. */
export type SkillDetail = SkillListing & { history: SkillVersionView[] }

/** Older versions stay in the database; a page of them is enough to compare with. */
const shownVersions = 50

/** A skill with its text and its last 50 versions. NotFoundError when there is none. Admins only. */
export async function readSkill(ctx: Ctx, skillId: string): Promise<SkillDetail> {
  requireRole(ctx, 'admin')
  const id = parseId(skillId, 'The skill')
  const [row, versions] = await Promise.all([
    db().skill.findUnique({ where: { id }, include: listed }),
    db().skillVersion.findMany({
      where: { skillId: id },
      orderBy: { version: 'desc' },
      take: shownVersions,
    }),
  ])
  if (!row) throw new NotFoundError('The skill')
  return { ...toSkillListing(row), history: versions.map(toVersionView) }
}

function toVersionView(row: SkillVersion): SkillVersionView {
  const { version, description, body, checksum, bytes, createdByLabel } = row
  const frontMatter = FrontMatter.parse(row.frontMatter)
  return {
    version,
    description,
    allowedTools: AllowedTools.parse(row.allowedTools),
    frontMatter,
    body,
    file: skillFileText({ frontMatter, body }),
    checksum,
    bytes,
    createdByLabel,
    createdAt: row.createdAt.toISOString(),
  }
}
