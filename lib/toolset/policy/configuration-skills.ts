import { db } from '@/lib/kernel/db'
import 'server-only'
import { type AttachedSkill, listConfigurationSkills } from '@/lib/domains/skills/attachments'
import type { ToolsLeft } from '@/lib/domains/skills/shape'
import { meaningOf } from '@/lib/domains/skills/shared/skill-names'
import { grantedBySkills } from '@/lib/engines/runtime/policy/subject'
import { estimateTokens } from '@/lib/engines/runtime/spend/count-tokens'
import type { Ctx } from '@/lib/kernel/context'
import { fenceLine, skillNote, skillText } from '@/lib/protocol/model/model-text'
import { toolsByName } from '@/lib/toolset/tools/installed-tools'
import { toolsLeft } from './tools-left'

/** `granted` null = the skills have no opinion; `unknown` are names that no tool here has, and count for nothing. */
export type SkillGrant = { granted: string[] | null; unknown: string[] }

/** `preview` is what a run would be sent, with these words where each run has a random one of its own. */
export type ConfigurationSkills = {
  skills: Omit<AttachedSkill, 'body'>[]
  grant: SkillGrant
  /** Names of those that list tools and are switched off, so that what they list limits nothing. */
  idle: string[]
  /** Names of those that list tools and whose file changed or is gone; `limits` = the grant is theirs (ADR 010). */
  heldBack: { names: string[]; limits: boolean }
  preview: { note: string; text: string; tokens: number }
  tools: ToolsLeft
}

const sampleFence = { nonce: 'random-per-run', canary: 'random-per-run' }

/**
 * Returns a configuration's skills in order, the tools they grant together (SPEC G-S) and the text that a model is
 * sent. Admins only.
 */
export async function configurationSkills(
  ctx: Ctx,
  configurationId: string,
): Promise<ConfigurationSkills> {
  const skills = await listConfigurationSkills(ctx, configurationId)
  const effective = skills.filter((skill) => skill.effective)
  const limiting = skills.filter((skill) => skill.effective || skill.heldBack)
  const listing = skills.filter(({ allowedTools }) => allowedTools !== null)
  const note = skillNote(effective).trim()
  const text =
    effective.length === 0 ? '' : fenceLine(sampleFence) + skillText(effective, sampleFence)
  return {
    skills: skills.map(({ body: _, ...facts }) => facts),
    grant: await skillGrant(limiting),
    idle: listing.filter((skill) => !skill.effective && !skill.heldBack).map(nameOf),
    heldBack: {
      names: listing.filter((skill) => skill.heldBack).map(nameOf),
      limits: !listing.some((skill) => skill.effective),
    },
    preview: { note, text, tokens: estimateTokens(text) },
    tools: await toolsLeft(ctx, configurationId, limiting),
  }
}

const nameOf = ({ name }: AttachedSkill) => name

/** Returns the tools that skills grant together, and the names among them that no tool has (SPEC G-S). */
export async function skillGrant(
  skills: readonly { allowedTools: readonly string[] | null; heldBack?: boolean }[],
): Promise<SkillGrant> {
  const names = grantedBySkills(skills)
  if (names === null) return { granted: null, unknown: [] }
  const tools = await toolsByName(db())
  const sorted = [...names].sort()
  const isHere = (name: string) => tools.has(meaningOf(name)?.tool ?? '')
  return {
    granted: sorted.filter(isHere),
    unknown: sorted.filter((name) => !isHere(name)),
  }
}
