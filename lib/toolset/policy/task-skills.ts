import 'server-only'
import { readAnyConfiguration } from '@/lib/domains/configurations/run-snapshot'
import type { ToolsLeft } from '@/lib/domains/skills/shape'
import { readAnyTaskForRun, type TaskForRun } from '@/lib/domains/tasks/runnable'
import { estimateTokens } from '@/lib/engines/runtime/spend/count-tokens'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { fenceLine, skillNote, skillText } from '@/lib/protocol/model/model-text'
import type { SkillSnapshot } from '@/lib/protocol/run/run-snapshot'
import { type SkillGrant, skillGrant } from './configuration-skills'
import { readPolicyState } from './read-policy-state'
import { toolsLeft } from './tools-left'
import { withTask } from './with-task'

/** `names` are the skills in the order they are sent; `preview` is what a run would be sent of them. */
export type TaskSkills = {
  names: string[]
  grant: SkillGrant
  preview: { note: string; text: string; tokens: number }
  tools: ToolsLeft
}

const sampleFence = { nonce: 'random-per-run', canary: 'random-per-run' }

/**
 * Returns the skills of a task's runs: its configuration's, then its own (SPEC G-S); without a configuration only its
 * own. Also returns the tools they grant together, and the text that a model is sent. Admins only.
 */
export async function taskSkills(ctx: Ctx, taskId: string): Promise<TaskSkills> {
  requireRole(ctx, 'admin')
  const task = await readAnyTaskForRun(db(), ctx, taskId)
  const skills = await effectiveSkills(ctx, task)
  const text = skills.length === 0 ? '' : fenceLine(sampleFence) + skillText(skills, sampleFence)
  const note = skillNote(skills).trim()
  const limiting = await limitingSkills(ctx, task)
  return {
    names: skills.map(({ name }) => name),
    grant: await skillGrant(limiting),
    preview: { note, text, tokens: estimateTokens(text) },
    tools: await toolsLeft(ctx, task.configurationId, limiting),
  }
}

/** Returns the skills as the gates read them. Skills that are held back limit without being sent (ADR 010). */
async function limitingSkills(ctx: Ctx, { facts, configurationId }: TaskForRun) {
  const { configuration, task } = await readPolicyState(db(), {
    userId: ctx.actor.userId,
    runId: null,
    apiKeyId: null,
    configurationId,
    taskId: facts.taskId,
    connectionIds: [],
    modelIds: [],
  })
  return [...(configuration?.skills ?? []), ...(task?.skills ?? [])]
}

async function effectiveSkills(ctx: Ctx, task: TaskForRun): Promise<SkillSnapshot[]> {
  if (task.configurationId === null) return task.skills
  return withTask(await readAnyConfiguration(db(), ctx, task.configurationId), task).skills
}
