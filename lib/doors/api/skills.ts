import { z } from 'zod'
import { findConfiguration } from '../../domains/configurations/find-configuration'
import { acceptSkillChange } from '../../domains/skills/accept-skill-change'
import { attachSkill } from '../../domains/skills/attach-skill'
import { detachSkill } from '../../domains/skills/detach-skill'
import { findSkill } from '../../domains/skills/find-skill'
import { importSkills } from '../../domains/skills/import-skills'
import { limitsGone } from '../../domains/skills/limits-gone'
import { listSkills } from '../../domains/skills/list-skills'
import { readSkill } from '../../domains/skills/read-skill'
import { readSkillFiles } from '../../domains/skills/read-skill-files'
import { SkillSort } from '../../domains/skills/schemas'
import { setAttachedSkillEnabled } from '../../domains/skills/set-attached-skill-enabled'
import { setSkillEnabled } from '../../domains/skills/set-skill-enabled'
import type { Ctx } from '../../kernel/context'
import { AnyObject, endpoint } from './endpoint'

const NewSkill = z.strictObject({
  text: z.string().min(1, 'Give the text of a SKILL.md.'),
  /** The `fingerprint` of an answer that asked to confirm. */
  confirmed: z.string().max(64).nullable().default(null),
})

const Switch = z.strictObject({ enabled: z.boolean('Give true or false.') })

/** The checksum of the waiting version that was read. Only exactly this version is accepted. */
const Accept = z.strictObject({
  checksum: z.string().regex(/^[0-9a-f]{64}$/, 'A checksum is 64 hexadecimal digits.'),
})

/** Whether the skill is on for the configuration. It keeps its place when it is off. */
const Attachment = z.strictObject({ enabled: z.boolean('Give true or false.').default(true) })

async function find(ctx: Ctx, { name = '', configuration = '' }: Record<string, string>) {
  const skill = await findSkill(ctx, name)
  const { id: configurationId, identifier } = await findConfiguration(ctx, configuration)
  return {
    key: { configurationId, skillId: skill.id },
    names: { skill: skill.name, configuration: identifier },
  }
}

export const skillEndpoints = [
  endpoint(
    'GET',
    '/skills',
    {
      role: 'admin',
      scope: 'skills:read',
      query: z.object({ sort: SkillSort }),
      summary: 'Lists skills without their texts.',
      answers: { 200: z.object({ skills: z.array(AnyObject) }) },
    },
    async ({ ctx, query }) => Response.json({ skills: await listSkills(ctx, query.sort) }),
  ),
  /** A stored skill with other text is replaced only after its differences are confirmed. */
  endpoint(
    'POST',
    '/skills',
    {
      role: 'admin',
      scope: 'skills:write',
      body: NewSkill,
      summary: 'Adds a skill, or asks to confirm what would change.',
      answers: { 200: AnyObject, 201: AnyObject },
    },
    async ({ ctx, body: { text, confirmed } }) => {
      const files = await readSkillFiles(Buffer.from(text))
      const result = await importSkills(ctx, { source: 'paste', files, confirmed })
      const created = result.type === 'done' && result.added.length > 0
      return Response.json(result, { status: created ? 201 : 200 })
    },
  ),
  endpoint(
    'GET',
    '/skills/{name}',
    {
      role: 'admin',
      scope: 'skills:read',
      summary: 'Returns a skill with its text and history.',
      answers: { 200: z.object({ skill: AnyObject }) },
    },
    async ({ ctx, params }) => {
      const { id } = await findSkill(ctx, params.name ?? '')
      return Response.json({ skill: await readSkill(ctx, id) })
    },
  ),
  endpoint(
    'PATCH',
    '/skills/{name}',
    {
      role: 'admin',
      scope: 'skills:write',
      body: Switch,
      summary: 'Switches a skill.',
      answers: { 200: AnyObject },
    },
    async ({ ctx, params, body: { enabled } }) => {
      const { id, name } = await findSkill(ctx, params.name ?? '')
      const change = await limitsGone(ctx, id, () => setSkillEnabled(ctx, id, enabled))
      return Response.json({ id, name, enabled, ...change })
    },
  ),
  endpoint(
    'POST',
    '/skills/{name}/accept',
    {
      role: 'admin',
      scope: 'skills:write',
      body: Accept,
      summary: 'Accepts the waiting version of a skill whose file changed.',
      answers: { 200: z.object({ id: z.string(), name: z.string(), version: z.number() }) },
    },
    async ({ ctx, params, body: { checksum } }) => {
      const { id, name } = await findSkill(ctx, params.name ?? '')
      return Response.json({ id, name, ...(await acceptSkillChange(ctx, id, checksum)) })
    },
  ),
  endpoint(
    'PUT',
    '/skills/{name}/configurations/{configuration}',
    {
      role: 'admin',
      scope: 'skills:write',
      body: Attachment,
      summary: 'Attaches a skill to a configuration, or switches it there.',
      answers: { 200: AnyObject },
    },
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
  ),
  endpoint(
    'DELETE',
    '/skills/{name}/configurations/{configuration}',
    {
      role: 'admin',
      scope: 'skills:write',
      summary: 'Detaches a skill from a configuration.',
      answers: { 200: AnyObject },
    },
    async ({ ctx, params }) => {
      const { key, names } = await find(ctx, params)
      const change = await limitsGone(ctx, key.skillId, () => detachSkill(ctx, key))
      return Response.json({ ...names, attached: false, ...change })
    },
  ),
]
