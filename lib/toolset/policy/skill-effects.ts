import 'server-only'
import { listConfigurationSkills } from '@/lib/domains/skills/attachments'
import {
  limitingHere,
  limitingTask,
  type PlaceEffect,
  type WantedSkill,
} from '@/lib/domains/skills/limiting-skills'
import type { SkillListing } from '@/lib/domains/skills/schemas'
import type { ToolsLeft } from '@/lib/domains/skills/shape'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { toolsLeft } from './tools-left'

/** Returns what this list does in each configuration and task that uses the skill, as if the skill were on. */
export async function effectsWhereUsed(
  ctx: Ctx,
  skill: SkillListing,
  allowedTools: string[] | null,
): Promise<PlaceEffect[]> {
  const effects: PlaceEffect[] = []
  for (const { task, configuration, skills } of await placesOf(ctx, skill)) {
    const named = (tools: ToolsLeft) => ({ ...tools, name: task ?? tools.name })
    const before = await toolsLeft(ctx, configuration, [...skills.values()])
    const next = new Map(skills).set(skill.id, { allowedTools })
    const after = await toolsLeft(ctx, configuration, [...next.values()])
    effects.push({ before: named(before), after: named(after) })
  }
  return effects
}

/** `skills`: those that limit there now, by their ids. */
type Place = {
  task: string | null
  configuration: string | null
  skills: Map<string, WantedSkill>
}

async function placesOf(ctx: Ctx, { id, configurations, tasks }: SkillListing): Promise<Place[]> {
  const places: Place[] = []
  for (const { id: configuration } of configurations) {
    const attached = await listConfigurationSkills(ctx, configuration)
    if (!attached.some(({ skillId, enabledHere }) => skillId === id && enabledHere)) continue
    places.push({ task: null, configuration, skills: await limitingHere(ctx, configuration) })
  }
  for (const { id: taskId } of tasks) {
    const task = await taskVerbs.read(ctx, { id: taskId })
    if (!task.skills.some((skill) => skill.id === id && skill.enabled)) continue
    const configuration = task.configuration?.id ?? null
    const skills = await limitingTask(ctx, configuration, task.skills)
    places.push({ task: `task ${task.name}`, configuration, skills })
  }
  return places
}
