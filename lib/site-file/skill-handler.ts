import { importSkills } from '@/lib/domains/skills/import-skills'
import { findSkill } from '@/lib/domains/skills/reads'
import { FrontMatter } from '@/lib/domains/skills/schemas'
import { parseSkill, skillFileText } from '@/lib/domains/skills/skill-file'
import { setSkillEnabled } from '@/lib/domains/skills/verbs'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { ConflictError } from '@/lib/kernel/errors'
import type { Handler } from './handler'
import type { GivenOf } from './site-file'

/** Skills that were added by hand, as the text of their file. Those of the folder stay in the folder. */
export const skillHandler: Handler<'skills'> = {
  read: async (ctx) => {
    requireRole(ctx, 'admin')
    const rows = await db().skill.findMany({
      where: { source: { not: 'folder' } },
      include: { versions: { orderBy: { version: 'desc' } } },
      orderBy: { name: 'asc' },
    })
    return rows.flatMap(({ name, enabled, version, versions }) => {
      const accepted = versions.find((each) => each.version === version)
      if (!accepted) return []
      const frontMatter = FrontMatter.parse(accepted.frontMatter)
      return [{ name, file: skillFileText({ frontMatter, body: accepted.body }), enabled }]
    })
  },
  work: ({ before, given, changed }) => {
    if (!before) return { write: (ctx) => create(ctx, given) }
    const [now, later] = inOrder(before.file, given, changed)
    return {
      write: now.length > 0 ? (ctx) => update(ctx, given, now) : undefined,
      finish: later.length > 0 ? (ctx) => update(ctx, given, later) : undefined,
    }
  },
}

/** Returns the fields to change now and later. A limit is removed only after its replacement has taken effect. */
function inOrder(
  before: string,
  { file, enabled }: GivenOf<'skills'>,
  changed: ReadonlySet<string>,
): [now: string[], later: string[]] {
  const now: string[] = []
  const later: string[] = []
  if (changed.has('file')) (widens(before, file) ? later : now).push('file')
  if (changed.has('enabled')) (enabled ? now : later).push('enabled')
  return [now, later]
}

/** Returns whether the new text lists all tools of the old one and more, or no longer limits the tools. */
function widens(before: string, after: string): boolean {
  const [old, now] = [before, after].map((text) => parseSkill(Buffer.from(text)).allowedTools)
  if (!old) return false
  return !now || (now.length > old.length && old.every((name) => now.includes(name)))
}

async function create(ctx: Ctx, given: GivenOf<'skills'>): Promise<void> {
  await writeFile(ctx, given.name, given.file)
  if (given.enabled === false) await switchSkill(ctx, given)
}

async function update(
  ctx: Ctx,
  given: GivenOf<'skills'>,
  fields: readonly string[],
): Promise<void> {
  if (fields.includes('file')) await writeFile(ctx, given.name, given.file)
  if (fields.includes('enabled')) await switchSkill(ctx, given)
}

/** Writes the skill. The person confirmed the plan, so the differences are confirmed. */
async function writeFile(ctx: Ctx, name: string, text: string): Promise<void> {
  const files = [parseSkill(Buffer.from(text))]
  const request = { source: 'paste', files, confirmed: null } as const
  const first = await importSkills(ctx, request)
  if (first.type === 'done') return
  const second = await importSkills(ctx, { ...request, confirmed: first.fingerprint })
  if (second.type !== 'done') throw new ConflictError(`${name} changed in the meantime.`)
}

async function switchSkill(ctx: Ctx, { name, enabled }: GivenOf<'skills'>): Promise<void> {
  await setSkillEnabled(ctx, { id: name, enabled: enabled ?? true })
}

type Named = { name: string; enabled: boolean }

/**
 * Returns the ids of the skills that a file names, in its order. NotFoundError when one does not exist. Admins only.
 */
export async function findSkills(
  ctx: Ctx,
  named: readonly Named[],
): Promise<{ skillId: string; enabled: boolean }[]> {
  const found: { skillId: string; enabled: boolean }[] = []
  for (const { name, enabled } of named) {
    found.push({ skillId: (await findSkill(ctx, name)).id, enabled })
  }
  return found
}
