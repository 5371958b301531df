import { z } from 'zod'
import { findConfiguration } from '@/lib/domains/configurations/find-configuration'
import { attachSkill } from '@/lib/domains/skills/attach-skill'
import { detachSkill } from '@/lib/domains/skills/detach-skill'
import { findSkill } from '@/lib/domains/skills/find-skill'
import { limitsGone } from '@/lib/domains/skills/limits-gone'
import { setAttachedSkillEnabled } from '@/lib/domains/skills/set-attached-skill-enabled'
import type { Ctx } from '@/lib/kernel/context'
import { route } from '@/lib/kernel/http'
import { onlyMethods } from '../../../../only-methods'

/** Whether the skill is on for the configuration. It keeps its place when it is off. */
const Attachment = z.strictObject({ enabled: z.boolean('Give true or false.').default(true) })

const attach = route(
  { role: 'admin', scope: 'skills:write', body: Attachment },
  async ({ ctx, params, body: { enabled } }) => {
    const { key, names } = await find(ctx, params)
    const change = await limitsGone(
      ctx,
      key.skillId,
      async () =>
        (await attachSkill(ctx, key, enabled)) || setAttachedSkillEnabled(ctx, key, enabled),
    )
    return Response.json({ ...names, attached: true, enabled, ...change })
  },
)

const detach = route({ role: 'admin', scope: 'skills:write' }, async ({ ctx, params }) => {
  const { key, names } = await find(ctx, params)
  const change = await limitsGone(ctx, key.skillId, () => detachSkill(ctx, key))
  return Response.json({ ...names, attached: false, ...change })
})

async function find(ctx: Ctx, { name = '', configuration = '' }: Record<string, string>) {
  const skill = await findSkill(ctx, name)
  const { id: configurationId, identifier } = await findConfiguration(ctx, configuration)
  return {
    key: { configurationId, skillId: skill.id },
    names: { skill: skill.name, configuration: identifier },
  }
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  PUT: attach,
  DELETE: detach,
})
