import { importSkills } from '@/lib/domains/skills/import-skills'
import { findSkill } from '@/lib/domains/skills/reads'
import { readSkillFiles } from '@/lib/domains/skills/skill-archive'
import type { TaskInput } from '@/lib/domains/tasks/shape'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { readRun } from '@/lib/runs/read-run'
import { loadSubject } from '@/lib/toolset/policy/load-subject'
import { toolsByName } from '@/lib/toolset/tools/installed-tools'
import { skillText } from './skills'

export const greet: TaskInput = {
  identifier: 'greet',
  name: 'Greet',
  prompt: 'Greet {{who}} in {{tone}} words, {{{{so}}.',
  variables: [
    { name: 'who' },
    { name: 'tone', type: 'choice', options: ['dry', 'warm'], default: 'dry' },
  ],
}

/** Adds a skill; `more` are further lines of its front matter. Returns its id. */
export async function pasteSkill(admin: Ctx, name: string, more = ''): Promise<string> {
  const files = await readSkillFiles(Buffer.from(skillText(name, more)))
  await importSkills(admin, { source: 'paste', files, confirmed: null })
  return (await findSkill(admin, name)).id
}

/** Saves a task with these skills. Returns the version that counts then. */
export function setTaskSkills(admin: Ctx, id: string, skills: TaskInput['skills']) {
  return taskVerbs.update(admin, { id, skills })
}

/** Returns what a run stores of its configuration and task. */
export async function snapshotOf(admin: Ctx, runId: string): Promise<RunSnapshot> {
  const { events } = await readRun(admin, runId)
  const [first] = events
  if (first?.type !== 'run-start') throw new Error('The run has no beginning.')
  return RunSnapshot.parse(first.data.snapshot)
}

/** Returns the tools that a run may use now which started with this snapshot. */
export async function allowedTools(admin: Ctx, snapshot: RunSnapshot): Promise<string[]> {
  const subject = await loadSubject(db(), {
    userId: admin.actor.userId,
    apiKeyId: null,
    snapshot,
    selected: null,
  })
  const tools = [...(await toolsByName(db())).values()]
  return tools
    .filter((tool) => decideTool(tool, subject).allowed)
    .map(({ name }) => name)
    .sort()
}
