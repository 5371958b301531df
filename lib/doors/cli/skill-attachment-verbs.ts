import { findConfiguration } from '@/lib/domains/configurations/find-configuration'
import { attachSkill } from '@/lib/domains/skills/attach-skill'
import { detachSkill } from '@/lib/domains/skills/detach-skill'
import { findSkill } from '@/lib/domains/skills/find-skill'
import { limitsGone } from '@/lib/domains/skills/limits-gone'
import { moveAttachedSkill } from '@/lib/domains/skills/move-attached-skill'
import { setAttachedSkillEnabled } from '@/lib/domains/skills/set-attached-skill-enabled'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine } from './print'
import { printLimitsGone } from './print-limits-gone'

export type AttachOptions = CommonOptions & { configuration: string }

export async function attachAndPrint(
  name: string,
  attached: boolean,
  options: AttachOptions,
): Promise<void> {
  const { ctx, skill, identifier, key } = await find(name, options)
  const gone = await limitsGone(ctx, skill.id, () =>
    attached ? attachSkill(ctx, key) : detachSkill(ctx, key),
  )
  if (options.json) return printJson({ ...key, attached, ...gone })
  const now = gone.changed ? 'now' : 'already'
  printLine(`${identifier} ${attached ? `${now} uses` : `${now} does not use`} the skill.`)
  printLimitsGone(gone)
}

/** Switches a skill on or off for one configuration, in which it keeps its place. */
export async function useAndPrint(
  name: string,
  enabled: boolean,
  options: AttachOptions,
): Promise<void> {
  const { ctx, skill, identifier, key } = await find(name, options)
  const gone = await limitsGone(ctx, skill.id, () => setAttachedSkillEnabled(ctx, key, enabled))
  if (options.json) return printJson({ ...key, enabled, ...gone })
  const words = gone.changed ? 'now' : 'not attached or already'
  printLine(`${skill.name} is ${words} ${enabled ? 'on' : 'off'} in ${identifier}.`)
  printLimitsGone(gone)
}

export async function moveAndPrint(
  name: string,
  direction: 'up' | 'down',
  options: AttachOptions,
): Promise<void> {
  const { ctx, skill, identifier, key } = await find(name, options)
  const changed = await moveAttachedSkill(ctx, key, direction)
  if (options.json) return printJson({ ...key, direction, changed })
  const place = direction === 'up' ? 'earlier' : 'later'
  printLine(`${skill.name} ${changed ? 'is now' : 'cannot be'} sent ${place} in ${identifier}.`)
}

async function find(name: string, options: AttachOptions) {
  const ctx = await actingCtx(options.as)
  const skill = await findSkill(ctx, name)
  const { id: configurationId, identifier } = await findConfiguration(ctx, options.configuration)
  return { ctx, skill, identifier, key: { configurationId, skillId: skill.id } }
}
