import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError } from '@/lib/kernel/errors'
import { attachSkill, setAttachedSkillEnabled } from './attachments'
import {
  asWanted,
  type CountTools,
  type EffectsWhereUsed,
  endsAll,
  limitingHere,
} from './limiting-skills'
import { readSkill } from './reads'
import { SkillChange, type SkillDetail } from './schemas'
import { leavesNone, noToolsQuestion, ToolsLeft } from './shape'
import { acceptSkillChange, restoreSkillVersion, setSkillEnabled } from './verbs'

/** A person agreed that no tool remains. */
const Confirmed = { confirmed: z.boolean().default(false) }
const Attached = SkillChange.extend({ tools: ToolsLeft })

const { audits: _, ...switching } = setAttachedSkillEnabled.definition
const { audits: __, ...turning } = setSkillEnabled.definition

/** Returns the verbs that attach skills, given the count of the tools that remain. */
export function checkedAttachmentVerbs(toolsLeft: CountTools) {
  /** Attaches a skill like `attachSkill`. Throws ConflictError for `confirmed` where it would leave no tool. */
  const addSkill = verb({
    ...attachSkill.definition,
    input: attachSkill.definition.input.extend(Confirmed),
    output: Attached,
    transaction: false,
    run: async ({ ctx }, { confirmed, ...input }) => {
      const tools = await toolsWith(ctx, toolsLeft, input, confirmed)
      return { ...(await attachSkill(ctx, input)), tools }
    },
  })

  /** Switches an attached skill like `setAttachedSkillEnabled`. Throws ConflictError as `addSkill` does. */
  const switchAddedSkill = verb({
    ...switching,
    input: switching.input.extend(Confirmed),
    output: Attached,
    transaction: false,
    run: async ({ ctx }, { confirmed, ...input }) => {
      const tools = await toolsWith(ctx, toolsLeft, input, confirmed)
      return { ...(await setAttachedSkillEnabled(ctx, input)), tools }
    },
  })
  return { addSkill, switchAddedSkill }
}

/** Returns the verbs that change the skills themselves, given what a change does where they are used. */
export function checkedSkillVerbs(effectsWhereUsed: EffectsWhereUsed) {
  /** Switches a skill like `setSkillEnabled`. Throws ConflictError where switching it on ends the last tool unasked. */
  const turnSkill = verb({
    ...turning,
    input: turning.input.extend(Confirmed),
    output: setSkillEnabled.definition.output ?? z.never(),
    transaction: false,
    run: async ({ ctx }, { confirmed, ...input }) => {
      if (input.enabled && !confirmed) {
        const skill = await readSkill(ctx, { id: input.id })
        if (!skill.enabled) await requireTools(ctx, effectsWhereUsed, skill, skill.version)
      }
      return setSkillEnabled(ctx, input)
    },
  })

  /** Accepts a change like `acceptSkillChange`. Throws ConflictError where it ends the last tool unasked. */
  const acceptSkill = verb({
    ...acceptSkillChange.definition,
    input: acceptSkillChange.definition.input.extend(Confirmed),
    output: acceptSkillChange.definition.output ?? z.never(),
    transaction: false,
    run: async ({ ctx }, { confirmed, ...input }) => {
      const skill = await readSkill(ctx, { id: input.id })
      if (!confirmed && skill.enabled)
        await requireTools(ctx, effectsWhereUsed, skill, skill.pendingVersion)
      return acceptSkillChange(ctx, input)
    },
  })

  /** Restores a version like `restoreSkillVersion`. Throws ConflictError where it ends the last tool unasked. */
  const restoreSkill = verb({
    ...restoreSkillVersion.definition,
    input: restoreSkillVersion.definition.input.extend(Confirmed),
    output: restoreSkillVersion.definition.output ?? z.never(),
    transaction: false,
    run: async ({ ctx }, { confirmed, ...input }) => {
      const skill = await readSkill(ctx, { id: input.id })
      if (!confirmed && skill.enabled)
        await requireTools(ctx, effectsWhereUsed, skill, input.version)
      return restoreSkillVersion(ctx, input)
    },
  })
  return { turnSkill, acceptSkill, restoreSkill }
}

type Asked = { configurationId: string; skillId: string; enabled: boolean }

/** Returns how many tools remain once the skill is attached. Throws ConflictError when that ends the last one unasked. */
async function toolsWith(
  ctx: Ctx,
  toolsLeft: CountTools,
  { configurationId, skillId, enabled }: Asked,
  confirmed: boolean,
): Promise<ToolsLeft> {
  const skill = await readSkill(ctx, { id: skillId })
  const before = await limitingHere(ctx, configurationId)
  const wanted = enabled ? asWanted(skill) : null
  const others = [...before].flatMap(([id, each]) => (id === skill.id ? [] : [each]))
  const after = await toolsLeft(ctx, configurationId, wanted ? [...others, wanted] : others)
  if (confirmed || !wanted || before.has(skill.id) || !leavesNone(after)) return after
  const old = await toolsLeft(ctx, configurationId, others)
  if (leavesNone(old)) return after
  throw new ConflictError(noToolsQuestion(`The skill ${skill.name}`, after), 'confirmed')
}

/** Throws ConflictError when this version ends the last tool of a configuration or task that uses the skill. */
async function requireTools(
  ctx: Ctx,
  effectsWhereUsed: EffectsWhereUsed,
  skill: SkillDetail,
  version: number | null,
): Promise<void> {
  const wanted = skill.history.find((each) => each.version === version)
  if (!wanted) return
  const effects = await effectsWhereUsed(ctx, skill, wanted.allowedTools)
  const ending = effects.find(endsAll)
  if (!ending) return
  throw new ConflictError(noToolsQuestion(`The skill ${skill.name}`, ending.after), 'confirmed')
}
