import { ImportSource } from '@toolgate/server/domains/skills/schemas'
import { readSkillUpload } from '@toolgate/server/domains/skills/skill-archive'
import { route } from '@toolgate/server/doors/http'
import { readBody } from '@toolgate/server/edge/read-body'
import { bringSkills } from '@toolgate/server/joined-verbs'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'

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
