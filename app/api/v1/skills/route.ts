import { z } from 'zod'
import { importSkills } from '@/lib/domains/skills/import-skills'
import { listSkills } from '@/lib/domains/skills/list-skills'
import { readSkillFiles } from '@/lib/domains/skills/read-skill-files'
import { SkillSort } from '@/lib/domains/skills/schemas'
import { route } from '@/lib/kernel/http'
import { onlyMethods } from '../only-methods'

const list = route(
  { role: 'admin', scope: 'skills:read', query: z.object({ sort: SkillSort }) },
  async ({ ctx, query }) => Response.json({ skills: await listSkills(ctx, query.sort) }),
)

const NewSkill = z.strictObject({
  text: z.string().min(1, 'Give the text of a SKILL.md.'),
  /** The `fingerprint` of an answer that asked to confirm. */
  confirmed: z.string().max(64).nullable().default(null),
})

/** A stored skill with other text is replaced only after its differences are confirmed. */
const add = route(
  { role: 'admin', scope: 'skills:write', body: NewSkill },
  async ({ ctx, body: { text, confirmed } }) => {
    const files = await readSkillFiles(Buffer.from(text))
    const result = await importSkills(ctx, { source: 'paste', files, confirmed })
    const created = result.type === 'done' && result.added.length > 0
    return Response.json(result, { status: created ? 201 : 200 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: list,
  POST: add,
})
