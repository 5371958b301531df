import { type Ctx, requireRole } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import type { ConfigurationForm } from '../../protocol/configuration-form'
import { recordAudit } from '../audit/record-audit'
import { changeConfiguration } from '../rows/configuration-history'
import { ConfigurationSkills } from './schemas'

/**
 * Makes the skills of a configuration exactly these, in this order, in one change: gates never see a part of it, so at no
 * moment is it limited by less than before or after (SPEC G-S). False when they were these. NotFoundError when the
 * configuration or a skill is missing. Admins only.
 */
export async function setConfigurationSkills(
  ctx: Ctx,
  configurationId: string,
  input: ConfigurationSkills,
): Promise<boolean> {
  requireRole(ctx, 'admin')
  const id = parseId(configurationId, 'The configuration')
  const { skills, note } = parseInput(ConfigurationSkills, input)
  return changePolicy(async (tx) => {
    const change = { configurationId: id, note }
    const done = await changeConfiguration(tx, ctx, change, () => write(tx, id, skills))
    if (!done.changed) return false
    const { identifier } = done.after
    await recordAudit(tx, ctx, {
      action: 'configuration.set-skills',
      objectType: 'configuration',
      objectId: id,
      before: { configuration: identifier, skills: factsOf(done.before) },
      after: { configuration: identifier, skills: factsOf(done.after) },
      reason: note,
    })
    return true
  })
}

type Wanted = { skillId: string; enabled: boolean }

async function write(tx: Tx, configurationId: string, skills: readonly Wanted[]): Promise<void> {
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
