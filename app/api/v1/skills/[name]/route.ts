import { z } from 'zod'
import { findSkill } from '@/lib/domains/skills/find-skill'
import { limitsGone } from '@/lib/domains/skills/limits-gone'
import { readSkill } from '@/lib/domains/skills/read-skill'
import { setSkillEnabled } from '@/lib/domains/skills/set-skill-enabled'
import { route } from '@/lib/kernel/http'
import { onlyMethods } from '../../only-methods'

const show = route({ role: 'admin', scope: 'skills:read' }, async ({ ctx, params }) => {
  const { id } = await findSkill(ctx, params.name ?? '')
  return Response.json({ skill: await readSkill(ctx, id) })
})

const Switch = z.strictObject({ enabled: z.boolean('Give true or false.') })

const turn = route(
  { role: 'admin', scope: 'skills:write', body: Switch },
  async ({ ctx, params, body: { enabled } }) => {
    const { id, name } = await findSkill(ctx, params.name ?? '')
    const change = await limitsGone(ctx, id, () => setSkillEnabled(ctx, id, enabled))
    return Response.json({ id, name, enabled, ...change })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: show,
  PATCH: turn,
})
