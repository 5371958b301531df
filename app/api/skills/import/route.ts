import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { ImportSource } from '@/lib/domains/skills/schemas'
import { readSkillUpload } from '@/lib/domains/skills/skill-archive'
import { route } from '@/lib/doors/http'
import { readBody } from '@/lib/edge/read-body'
import { bringSkills } from '@/lib/nouns'

/**
 * Takes a SKILL.md or a zip archive of them as its body, which may be larger than an action's. When stored skills would
 * change, it asks to be called again with `confirmed`.
 */
export const POST = route(
  {
    role: 'admin',
    scope: null,
    query: z.object({
      source: ImportSource,
      confirmed: z.string().max(64).nullable().default(null),
    }),
  },
  async ({ ctx, request, query }) => {
    const { files, dropped } = await readSkillUpload(await readBody(request))
    const result = await bringSkills(ctx, { ...query, files })
    if (result.type === 'done') revalidatePath('/skills', 'layout')
    return Response.json({ ...result, dropped })
  },
)
