import { z } from 'zod'
import { changeConfiguration } from '@/lib/domains/rows/configuration-history'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, type PolicyTx, type Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { changePolicy } from '@/lib/kernel/policy-lock'
import type { ConfigurationForm } from '@/lib/protocol/parameters/configuration-form'
import { withLimitsGone } from './limits'
import { requireSkill, stateOf } from './reads'
import { AllowedTools, maxSkills, SkillChange, type SkillState } from './schemas'
import { countsHere, type SkillForce, skillForce } from './shared/skill-force'

const Attachment = z.object({ configurationId: z.string(), skillId: z.string() })

/** Attaches a skill. With `enabled` false it has its place and no effect yet. Throws ConflictError beyond 20 skills. */
export const attachSkill = verb({
  name: 'configuration.add-skill',
  mayBreakCases: true,
  role: 'admin',
  scope: 'skills:write',
  summary:
    'Adds a skill to a configuration, behind those it has. One that it has already stays as it is.',
  input: Attachment.extend({ enabled: z.boolean().default(true) }),
  output: SkillChange,
  transaction: changePolicy,
  run: async ({ ctx, tx }, { enabled, ...attachment }) => {
    const { key, facts } = await requireAttachment(tx, attachment)
    const { configurationId, skillId } = key
    const there = await tx.configurationSkill.findMany({
      where: { configurationId },
      orderBy: { position: 'desc' },
    })
    return withLimitsGone(tx, skillId, async () => {
      if (there.some((each) => each.skillId === skillId)) return unchanged(undefined)
      if (there.length >= maxSkills) {
        throw new ConflictError(
          `A configuration has at most ${maxSkills} skills. Remove one first.`,
        )
      }
      const position = (there[0]?.position ?? -1) + 1
      await changeConfiguration(tx, ctx, { configurationId }, () =>
        tx.configurationSkill.create({ data: { ...key, position, enabled } }),
      )
      return changed(undefined, { subject: configurationId, after: { ...facts, skillId, enabled } })
    })
  },
})

export const detachSkill = verb({
  name: 'configuration.remove-skill',
  mayBreakCases: true,
  role: 'admin',
  scope: 'skills:write',
  summary: 'Takes a skill from a configuration.',
  input: Attachment,
  output: SkillChange,
  transaction: changePolicy,
  run: async ({ ctx, tx }, input) => {
    const { key, facts } = await requireAttachment(tx, input)
    const { configurationId, skillId } = key
    return withLimitsGone(tx, skillId, async () => {
      const done = await changeConfiguration(tx, ctx, { configurationId }, () =>
        tx.configurationSkill.deleteMany({ where: key }),
      )
      if (!done.changed) return unchanged(undefined)
      return changed(undefined, { subject: configurationId, before: { ...facts, skillId } })
    })
  },
})

export const setAttachedSkillEnabled = verb({
  name: 'configuration.switch-skill',
  mayBreakCases: true,
  role: 'admin',
  scope: 'skills:write',
  summary: 'Switches an attached skill for one configuration, where it keeps its place.',
  input: Attachment.extend({ enabled: z.boolean() }),
  output: SkillChange,
  audits: ['configuration.switch-on-skill', 'configuration.switch-off-skill'],
  transaction: changePolicy,
  run: async ({ ctx, tx }, { enabled, ...attachment }) => {
    const { key, facts } = await requireAttachment(tx, attachment)
    const { configurationId, skillId } = key
    return withLimitsGone(tx, skillId, async () => {
      const where = { ...key, enabled: !enabled }
      const done = await changeConfiguration(tx, ctx, { configurationId }, () =>
        tx.configurationSkill.updateMany({ where, data: { enabled } }),
      )
      if (!done.changed) return unchanged(undefined)
      return changed(undefined, {
        action: enabled ? 'configuration.switch-on-skill' : 'configuration.switch-off-skill',
        subject: configurationId,
        before: { ...facts, enabled: !enabled },
        after: { ...facts, enabled },
      })
    })
  },
})

/** Returns false at either end, or when it is not attached. */
export const moveAttachedSkill = verb({
  name: 'configuration.order-skills',
  role: 'admin',
  scope: null,
  summary: 'Sends a skill one place earlier or later in a configuration.',
  input: Attachment.extend({ direction: z.enum(['up', 'down']) }),
  output: z.boolean(),
  transaction: changePolicy,
  run: async ({ ctx, tx }, { direction, ...attachment }) => {
    const { key, facts } = await requireAttachment(tx, attachment)
    const { configurationId, skillId } = key
    const rows = await tx.configurationSkill.findMany({
      where: { configurationId },
      orderBy: { position: 'asc' },
      select: { skillId: true, skill: { select: { name: true } } },
    })
    const from = rows.findIndex((row) => row.skillId === skillId)
    const to = from + (direction === 'up' ? -1 : 1)
    const [moved, other] = [rows[from], rows[to]]
    if (!moved || !other) return unchanged(false)
    const order = rows.with(from, other).with(to, moved)
    await changeConfiguration(tx, ctx, { configurationId }, async () => {
      for (const [position, row] of order.entries()) {
        const where = { configurationId, skillId: row.skillId }
        await tx.configurationSkill.updateMany({ where, data: { position } })
      }
    })
    const { configuration } = facts
    return changed(true, {
      subject: configurationId,
      before: { configuration, order: rows.map(({ skill }) => skill.name) },
      after: { configuration, order: order.map(({ skill }) => skill.name) },
    })
  },
})

/** Reads both sides of an attachment, whether it is there or not. Throws NotFoundError when either is missing. */
async function requireAttachment(tx: Tx, request: z.output<typeof Attachment>) {
  const configurationId = parseId(request.configurationId, 'The configuration')
  const configuration = await tx.configuration.findUnique({
    where: { id: configurationId },
    select: { identifier: true },
  })
  if (!configuration) throw new NotFoundError('The configuration')
  const { id: skillId, name: skill } = await requireSkill(tx, request.skillId)
  const facts = { configuration: configuration.identifier, skill }
  return { key: { configurationId, skillId }, facts }
}

const WantedSkill = z.object({ skillId: z.uuid(), enabled: z.boolean() })

/**
 * Replaces the whole list at once. Gates never see a part of the change, so the configuration is at no moment limited
 * by less than before or after (SPEC G-S). Returns false when the list is already this one. Throws NotFoundError when
 * the configuration or a skill is missing.
 */
export const setConfigurationSkills = verb({
  name: 'configuration.set-skills',
  mayBreakCases: true,
  role: 'admin',
  scope: null,
  summary: 'Makes the skills of a configuration exactly these, in this order.',
  input: z.object({
    configurationId: z.string(),
    skills: z
      .array(WantedSkill)
      .max(maxSkills, `At most ${maxSkills} skills.`)
      .refine((skills) => new Set(skills.map(({ skillId }) => skillId)).size === skills.length, {
        message: 'Name each skill once.',
      }),
    note: z.string().trim().max(500, 'A note has at most 500 characters.').default(''),
  }),
  output: z.boolean(),
  transaction: changePolicy,
  run: async ({ ctx, tx }, { skills, note, configurationId: givenId }) => {
    const configurationId = parseId(givenId, 'The configuration')
    const change = { configurationId, note }
    const done = await changeConfiguration(tx, ctx, change, () =>
      write(tx, configurationId, skills),
    )
    if (!done.changed) return unchanged(false)
    const { identifier: configuration } = done.after
    return changed(true, {
      subject: configurationId,
      before: { configuration, skills: factsOf(done.before) },
      after: { configuration, skills: factsOf(done.after) },
      reason: note,
    })
  },
})

type Wanted = z.output<typeof WantedSkill>

async function write(
  tx: PolicyTx,
  configurationId: string,
  skills: readonly Wanted[],
): Promise<void> {
  const there = await tx.skill.count({
    where: { id: { in: skills.map(({ skillId }) => skillId) } },
  })
  if (there !== skills.length) throw new NotFoundError('A skill')
  await tx.configurationSkill.deleteMany({ where: { configurationId } })
  await tx.configurationSkill.createMany({
    data: skills.map((skill, position) => ({ configurationId, ...skill, position })),
  })
}

function factsOf({ skills }: ConfigurationForm) {
  return skills.map(({ name, enabled }) => ({ name, enabled }))
}

/**
 * A skill as one configuration uses it. `effective`: switched on here and on the site, so that it counts (SPEC G-S).
 * `heldBack`: it is on, but its file changed or is missing: its text is not sent, and the tools that it last listed
 * still limit (ADR 010). `force`: its effect where it is enabled.
 */
export type AttachedSkill = {
  skillId: string
  name: string
  description: string
  version: number
  checksum: string
  allowedTools: string[] | null
  body: string
  state: SkillState
  enabledHere: boolean
  force: SkillForce
  effective: boolean
  heldBack: boolean
}

/** Returns the skills of a configuration in the order they are sent; none for one that does not exist. Admins only. */
export async function listConfigurationSkills(
  ctx: Ctx,
  configurationId: string,
): Promise<AttachedSkill[]> {
  requireRole(ctx, 'admin')
  const rows = await db().configurationSkill.findMany({
    where: { configurationId: parseId(configurationId, 'The configuration') },
    orderBy: { position: 'asc' },
    include: { skill: { include: { versions: { orderBy: { version: 'desc' }, take: 2 } } } },
  })
  return rows.map(({ enabled, skill }) => {
    const accepted = skill.versions.find(({ version }) => version === skill.version)
    if (!accepted) throw new Error(`The skill ${skill.id} has no version ${skill.version}.`)
    const force = skillForce(skill)
    return {
      skillId: skill.id,
      name: skill.name,
      description: accepted.description,
      version: accepted.version,
      checksum: accepted.checksum,
      allowedTools: AllowedTools.parse(accepted.allowedTools),
      body: accepted.body,
      state: stateOf(skill),
      enabledHere: enabled,
      force,
      ...countsHere(enabled, force),
    }
  })
}
