import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import { ImportDone, ImportQuestion, importSkills } from './import-skills'
import { type CountTools, type EffectsWhereUsed, endsAll } from './limiting-skills'
import { listSkills } from './reads'
import { ImportSource, SkillFile, type SkillListing } from './schemas'
import { leavesNone, ToolsLeft } from './shape'

/**
 * Number of tools that remain with a skill: in the configurations and tasks that use it, or, where none does, in one
 * that has no other. `none`: the skill ends the last tool of one of them.
 */
const SkillEffect = z.object({ skill: z.string(), tools: z.array(ToolsLeft), none: z.boolean() })
export type SkillEffect = z.output<typeof SkillEffect>

const effects = { effects: z.array(SkillEffect) }
export const ImportResult = z.discriminatedUnion('type', [
  ImportDone.extend(effects),
  ImportQuestion.extend(effects),
])
export type ImportResult = z.output<typeof ImportResult>

const { name, role, scope, summary } = importSkills.definition

/** Parts of the toolset that the operations need. */
type Parts = { toolsLeft: CountTools; effectsWhereUsed: EffectsWhereUsed }

/** Imports skills like `importSkills`, says how many tools remain, and asks also before one that leaves none. */
export function bringSkillsVerb(parts: Parts) {
  return verb({
    name,
    role,
    scope,
    summary,
    input: z.object({
      source: ImportSource,
      files: z.array(SkillFile),
      confirmed: z.string().max(64).nullable(),
    }),
    output: ImportResult,
    transaction: false,
    run: async ({ ctx }, input): Promise<ImportResult> => {
      const known = new Map((await listSkills(ctx, {})).map((skill) => [skill.name, skill]))
      const found: SkillEffect[] = []
      for (const file of input.files)
        found.push(await effectOf(ctx, parts, file, known.get(file.name)))
      const result = await importSkills(ctx, { ...input, ask: found.some(({ none }) => none) })
      return { ...result, effects: found }
    },
  })
}

async function effectOf(
  ctx: Ctx,
  { toolsLeft, effectsWhereUsed }: Parts,
  { name, allowedTools }: SkillFile,
  stored: SkillListing | undefined,
): Promise<SkillEffect> {
  const places = stored?.enabled ? await effectsWhereUsed(ctx, stored, allowedTools) : []
  if (places.length > 0) {
    return { skill: name, tools: places.map(({ after }) => after), none: places.some(endsAll) }
  }
  const tools = await toolsLeft(ctx, null, [{ allowedTools }])
  return { skill: name, tools: [tools], none: leavesNone(tools) }
}
