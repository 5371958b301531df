import 'server-only'
import { readAnyConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { limitingTask, type WantedSkill } from '@/lib/domains/skills/limiting-skills'
import type { ToolsLeft } from '@/lib/domains/skills/shape'
import { isGranted } from '@/lib/domains/skills/shared/skill-names'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import {
  grantedBySkills,
  type Subject,
  withoutTemporary,
} from '@/lib/engines/runtime/policy/subject'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { toolsByName } from '@/lib/toolset/tools/installed-tools'
import { loadSubject } from './load-subject'

/**
 * Returns how many tools remain for runs of this admin with these skills, of those that the other gates allow. A freeze
 * does not count, because it ends. Without a configuration, the gates about it are not asked.
 */
export async function toolsLeft(
  ctx: Ctx,
  configuration: string | null,
  skills: readonly WantedSkill[],
): Promise<ToolsLeft> {
  const snapshot =
    configuration === null ? null : await readAnyConfiguration(db(), ctx, configuration)
  const input = { userId: ctx.actor.userId, apiKeyId: null, snapshot, selected: null }
  const subject = withoutTemporary(await loadSubject(db(), input))
  const tools = [...(await toolsByName(db())).values()]
  const allowed = tools.filter((tool) => decideTool(tool, withoutSkills(subject)).allowed)
  const granted = grantedBySkills(skills)
  const left = granted === null ? allowed : allowed.filter(({ name }) => isGranted(granted, name))
  return {
    name: snapshot?.configurationName ?? null,
    left: left.length,
    without: allowed.length,
  }
}

function withoutSkills(subject: Subject): Subject {
  const { configuration } = subject
  return {
    ...subject,
    configuration: configuration && { ...configuration, closed: null, grantedBySkills: null },
  }
}

/** Returns how many tools remain for runs of a task with these skills beside those of its configuration. */
export async function toolsOfTask(
  ctx: Ctx,
  configuration: string | null,
  skills: readonly { id: string; enabled: boolean }[],
): Promise<ToolsLeft> {
  const limiting = await limitingTask(ctx, configuration, skills)
  return toolsLeft(ctx, configuration, [...limiting.values()])
}
