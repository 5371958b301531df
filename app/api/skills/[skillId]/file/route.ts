import { readSkill } from '@toolgate/server/domains/skills/reads'
import { route } from '@toolgate/server/doors/http'
import { NotFoundError } from '@toolgate/server/kernel/errors'
import { z } from 'zod'

/** Answers one version of a skill as a SKILL.md download; without `version`, the current one. */
export const GET = route(
  { role: 'admin', scope: null, query: z.object({ version: z.coerce.number().int().optional() }) },
  async ({ ctx, params, query }) => {
    const skill = await readSkill(ctx, { id: params.skillId ?? '' })
    const wanted = query.version ?? skill.version
    const found = skill.history.find(({ version }) => version === wanted)
    if (!found) throw new NotFoundError(`Version ${wanted}`)
    return new Response(found.file, {
      headers: {
        'content-type': 'text/markdown; charset=utf-8',
        'content-disposition': `attachment; filename="${skill.name}.SKILL.md"`,
        'x-content-type-options': 'nosniff',
      },
    })
  },
)
