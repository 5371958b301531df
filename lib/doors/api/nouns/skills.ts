import { z } from 'zod'
import { findConfiguration } from '@/lib/domains/configurations/reads'
import { detachSkill } from '@/lib/domains/skills/attachments'
import { ImportResult } from '@/lib/domains/skills/bring-skills'
import { findSkill, listSkills, readSkill } from '@/lib/domains/skills/reads'
import { SkillChange, SkillDetail, SkillListing } from '@/lib/domains/skills/schemas'
import { ToolsLeft } from '@/lib/domains/skills/shape'
import { readSkillFiles } from '@/lib/domains/skills/skill-archive'
import { endpoint, factsOf, serve } from '@/lib/doors/api/endpoint'
import { acceptSkill, addSkill, bringSkills, switchAddedSkill, turnSkill } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'

const NewSkill = z.strictObject({
  text: z.string().min(1, 'Give the text of a SKILL.md.'),
  /** The `fingerprint` of an answer that asked to confirm. */
  confirmed: z.string().max(64).nullable().default(null),
})

/** Switches the skill on for the configuration. A skill that is off keeps its place. */
const Attachment = z.strictObject({
  enabled: z.boolean().default(true),
  /** Confirms that runs may be left without any tool. */
  confirmed: z.boolean().default(false),
})
const Attached = z.object({
  skill: z.string(),
  configuration: z.string(),
  attached: z.boolean(),
  enabled: z.boolean().optional(),
  tools: ToolsLeft.optional(),
  ...SkillChange.shape,
})

async function find(ctx: Ctx, { id = '', configuration = '' }: Record<string, string>) {
  const skill = await findSkill(ctx, id)
  const { id: configurationId, identifier } = await findConfiguration(ctx, configuration)
  return {
    key: { configurationId, skillId: skill.id },
    names: { skill: skill.name, configuration: identifier },
  }
}

/** A skill is named by its id or name. */
export const skillEndpoints = [
  serve('GET', '/skills', listSkills, {
    answers: { 200: z.object({ skills: z.array(SkillListing) }) },
    answer: ({ output }) => Response.json({ skills: output }),
  }),
  // By hand: a text is read before the verb gets its files.
  endpoint(
    'POST',
    '/skills',
    {
      ...factsOf(bringSkills),
      body: NewSkill,
      summary: 'Adds a skill, or asks to confirm what would change.',
      answers: { 200: ImportResult, 201: ImportResult },
    },
    async ({ ctx, body: { text, confirmed } }) => {
      const files = await readSkillFiles(Buffer.from(text))
      const result = await bringSkills(ctx, { source: 'paste', files, confirmed })
      const created = result.type === 'done' && result.added.length > 0
      return Response.json(result, { status: created ? 201 : 200 })
    },
  ),
  serve('GET', '/skills/{id}', readSkill, {
    answers: { 200: z.object({ skill: SkillDetail }) },
    answer: ({ output }) => Response.json({ skill: output }),
  }),
  serve('PATCH', '/skills/{id}', turnSkill),
  serve('POST', '/skills/{id}/accept', acceptSkill),
  // By hand: names of two nouns, and what is attached already is switched.
  endpoint(
    'PUT',
    '/skills/{id}/configurations/{configuration}',
    {
      ...factsOf(addSkill),
      body: Attachment,
      summary: 'Attaches a skill to a configuration, or switches it there.',
      answers: { 200: Attached },
    },
    async ({ ctx, params, body: { enabled, confirmed } }) => {
      const { key, names } = await find(ctx, params)
      const input = { ...key, enabled, confirmed }
      const added = await addSkill(ctx, input)
      const change = added.changed ? added : await switchAddedSkill(ctx, input)
      return Response.json({ ...names, attached: true, enabled, ...change })
    },
  ),
  endpoint(
    'DELETE',
    '/skills/{id}/configurations/{configuration}',
    {
      ...factsOf(detachSkill),
      summary: 'Detaches a skill from a configuration.',
      answers: { 200: Attached },
    },
    async ({ ctx, params }) => {
      const { key, names } = await find(ctx, params)
      return Response.json({ ...names, attached: false, ...(await detachSkill(ctx, key)) })
    },
  ),
]
