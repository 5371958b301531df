import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { ConflictError, ValidationError } from '../errors'
import { findSkill } from '../skills/find-skill'
import { importSkills } from '../skills/import-skills'
import { parseSkill } from '../skills/parse-skill'
import { FrontMatter } from '../skills/schemas'
import { setSkillEnabled } from '../skills/set-skill-enabled'
import { skillFileText } from '../skills/skill-file-text'
import type { Handler } from './handler'

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
  create: async (ctx, { name, file, enabled }) => {
    await writeFile(ctx, name, file)
    if (enabled === false) await switchSkill(ctx, name, enabled)
  },
  update: async (ctx, { given, changed }) => {
    if (changed.has('file')) await writeFile(ctx, given.name, given.file)
    if (given.enabled !== undefined && changed.has('enabled')) {
      await switchSkill(ctx, given.name, given.enabled)
    }
  },
}

/** The plan was looked at, so what differs is agreed to. */
async function writeFile(ctx: Ctx, name: string, text: string): Promise<void> {
  const file = parseSkill(Buffer.from(text))
  if (file.name !== name) {
    throw new ValidationError({ skills: `The file of ${name} is named ${file.name} inside.` })
  }
  const request = { source: 'paste', files: [file], confirmed: null } as const
  const first = await importSkills(ctx, request)
  if (first.type === 'done') return
  const second = await importSkills(ctx, { ...request, confirmed: first.fingerprint })
  if (second.type !== 'done') throw new ConflictError(`${name} was changed meanwhile.`)
}

async function switchSkill(ctx: Ctx, name: string, enabled: boolean): Promise<void> {
  const { id } = await findSkill(ctx, name)
  await setSkillEnabled(ctx, id, enabled)
}
