import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import type { Prisma, Skill, SkillVersion } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { type SortDirection, sortParts } from '@/lib/shape/sort-order'
import {
  AllowedTools,
  defaultSkillSort,
  FrontMatter,
  SkillDetail,
  SkillListing,
  SkillSort,
  type SkillSortKey,
  type SkillState,
  type SkillVersionView,
} from './schemas'
import { skillFileText } from './skill-file'

/** A query for the two newest versions: the accepted one, and one that may wait to be accepted. */
const listed = {
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

export const listSkills = verb({
  name: 'skill.list',
  role: 'admin',
  scope: 'skills:read',
  summary: 'Lists skills without their texts.',
  input: z.object({ sort: SkillSort.optional() }),
  output: z.array(SkillListing),
  transaction: false,
  run: async (_context, { sort = defaultSkillSort }) => {
    const { key, direction } = sortParts(sort)
    const orderBy = [columns[key](direction), { name: 'asc' } as const]
    return (await db().skill.findMany({ include: listed, orderBy })).map(toSkillListing)
  },
})

/** Older versions stay in the database; a page of them is enough to compare with. */
const shownVersions = 50

/** Throws NotFoundError when there is none. */
export const readSkill = verb({
  name: 'skill.read',
  role: 'admin',
  scope: 'skills:read',
  summary: 'Returns a skill by name or id, with its text and its last 50 versions.',
  input: z.object({ id: z.string() }),
  output: SkillDetail,
  transaction: false,
  run: async (_context, input) => {
    const { id } = await requireSkill(db(), input.id)
    const [row, versions] = await Promise.all([
      db().skill.findUniqueOrThrow({ where: { id }, include: listed }),
      db().skillVersion.findMany({
        where: { skillId: id },
        orderBy: { version: 'desc' },
        take: shownVersions,
      }),
    ])
    return { ...toSkillListing(row), history: versions.map(toVersionView) }
  },
})

/** Finds a skill by its id or exact name. Throws NotFoundError when there is none. Admins only. */
export async function findSkill(ctx: Ctx, idOrName: string): Promise<{ id: string; name: string }> {
  requireRole(ctx, 'admin')
  const { id, name } = await requireSkill(db(), idOrName)
  return { id, name }
}

const Id = z.uuid()

/** Returns the row of the skill with this id or exact name. Throws NotFoundError when there is none. */
export async function requireSkill(tx: Tx, idOrName: string): Promise<Skill> {
  const id = Id.safeParse(idOrName)
  const row = await tx.skill.findUnique({
    where: id.success ? { id: id.data } : { name: idOrName.trim() },
  })
  if (!row) throw new NotFoundError(`The skill ${idOrName.slice(0, 100)}`)
  return row
}

function toSkillListing(row: Row): SkillListing {
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

/** Returns what a skill's row says in one word; the worst first. */
export function stateOf({
  enabled,
  orphanedAt,
  pendingVersion,
}: Pick<Skill, 'enabled' | 'orphanedAt' | 'pendingVersion'>): SkillState {
  if (orphanedAt) return 'missing'
  if (pendingVersion !== null) return 'changed'
  return enabled ? 'on' : 'off'
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
