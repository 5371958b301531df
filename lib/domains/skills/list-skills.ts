import type { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { type SortDirection, sortParts } from '../../protocol/sort-order'
import {
  AllowedTools,
  type SkillListing,
  type SkillSort,
  type SkillSortKey,
  usualSkillSort,
} from './schemas'
import { stateOf } from './state-of'

/** The accepted version and one that waits are the two newest there can be. */
export const listed = {
  versions: {
    orderBy: { version: 'desc' },
    take: 2,
    select: {
      version: true,
      description: true,
      allowedTools: true,
      bytes: true,
      checksum: true,
    },
  },
  configurations: {
    orderBy: { configuration: { name: 'asc' } },
    select: { configuration: { select: { id: true, name: true, identifier: true } } },
  },
  tasks: {
    orderBy: { task: { name: 'asc' } },
    select: { task: { select: { id: true, name: true, identifier: true } } },
  },
} as const satisfies Prisma.SkillInclude

type Row = Prisma.SkillGetPayload<{ include: typeof listed }>

const columns = {
  name: (way) => ({ name: way }),
  source: (way) => ({ source: way }),
  version: (way) => ({ version: way }),
  changed: (way) => ({ updatedAt: way }),
} satisfies Record<SkillSortKey, (way: SortDirection) => Prisma.SkillOrderByWithRelationInput>

/** Every skill, without its text. Admins only. */
export async function listSkills(
  ctx: Ctx,
  sort: SkillSort = usualSkillSort,
): Promise<SkillListing[]> {
  requireRole(ctx, 'admin')
  const { key, direction } = sortParts(sort)
  const orderBy = [columns[key](direction), { name: 'asc' } as const]
  const rows = await db().skill.findMany({ include: listed, orderBy })
  return rows.map(toSkillListing)
}

export function toSkillListing(row: Row): SkillListing {
  const accepted = row.versions.find(({ version }) => version === row.version)
  if (!accepted) throw new Error(`The skill ${row.id} has no version ${row.version}.`)
  const { id, name, source, path, enabled, version, pendingVersion } = row
  return {
    id,
    name,
    description: accepted.description,
    source,
    path,
    state: stateOf(row),
    enabled,
    version,
    pendingVersion,
    allowedTools: AllowedTools.parse(accepted.allowedTools),
    bytes: accepted.bytes,
    checksum: accepted.checksum,
    updatedAt: row.updatedAt.toISOString(),
    configurations: row.configurations.map(({ configuration }) => configuration),
    tasks: row.tasks.map(({ task }) => task),
  }
}
