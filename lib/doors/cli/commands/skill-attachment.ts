import { type Command, Option } from 'commander'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { command } from '../command'
import { printLine } from '../print'

const verbs = () => import('@/lib/domains/skills/attachments')

type HereOptions = { configuration: string }

const named = { '<name>': 'name or id of the skill' }

const withConfiguration = (made: Command) =>
  made.requiredOption('--configuration <identifier>', 'identifier or id of the configuration')

export function addAttachmentCommands(skill: Command): void {
  for (const [verb, attached, words] of [
    ['attach', true, 'send a skill with the prompts of a configuration'],
    ['detach', false, 'stop sending a skill with a configuration'],
  ] as const) {
    command<HereOptions>(skill, verb, {
      description: words,
      args: named,
      options: withConfiguration,
      work: async ({ ctx, args: [name = ''], options }) => {
        const { identifier, key } = await find(ctx, name, options)
        const { attachSkill, detachSkill } = await verbs()
        const change = await (attached ? attachSkill : detachSkill)(ctx, key)
        const now = change.changed ? 'now' : 'already'
        const text = () => {
          printLine(`${identifier} ${attached ? `${now} uses` : `${now} does not use`} the skill.`)
          printLimitsGone(change)
        }
        return { json: { ...key, attached, ...change }, text }
      },
    })
  }
  command<HereOptions & { on?: true; off?: true }>(skill, 'use', {
    description: 'switch an attached skill on or off for one configuration',
    args: named,
    options: (made) =>
      withConfiguration(made)
        .addOption(
          new Option('--on', 'switch the skill on for this configuration').conflicts('off'),
        )
        .addOption(
          new Option('--off', 'switch the skill off for this configuration; it keeps its place'),
        ),
    work: async ({ ctx, args: [given = ''], options }) => {
      const enabled = oneOf(options.on, options.off, 'Give --on or --off.')
      const { name, identifier, key } = await find(ctx, given, options)
      const change = await (await verbs()).setAttachedSkillEnabled(ctx, { ...key, enabled })
      const words = change.changed ? 'now' : 'not attached or already'
      const text = () => {
        printLine(`${name} is ${words} ${enabled ? 'on' : 'off'} in ${identifier}.`)
        printLimitsGone(change)
      }
      return { json: { ...key, enabled, ...change }, text }
    },
  })
  command<HereOptions & { up?: true; down?: true }>(skill, 'move', {
    description: 'change the order in which a configuration sends its skills',
    args: named,
    options: (made) =>
      withConfiguration(made)
        .addOption(new Option('--up', 'one place earlier').conflicts('down'))
        .addOption(new Option('--down', 'one place later')),
    work: async ({ ctx, args: [given = ''], options }) => {
      const isUp = oneOf(options.up, options.down, 'Give --up or --down.')
      const direction = isUp ? 'up' : 'down'
      const { name, identifier, key } = await find(ctx, given, options)
      const changed = await (await verbs()).moveAttachedSkill(ctx, { ...key, direction })
      const words = `${changed ? 'is now' : 'cannot be'} sent ${isUp ? 'earlier' : 'later'}`
      return {
        json: { ...key, direction, changed },
        text: `${name} ${words} in ${identifier}.`,
      }
    },
  })
}

function oneOf(first: true | undefined, second: true | undefined, message: string): boolean {
  if (first === undefined && second === undefined) throw new ValidationError({ command: message })
  return first === true
}

async function find(ctx: Ctx, given: string, { configuration }: HereOptions) {
  const { findSkill } = await import('@/lib/domains/skills/reads')
  const { findConfiguration } = await import('@/lib/domains/configurations/reads')
  const { id: skillId, name } = await findSkill(ctx, given)
  const { id: configurationId, identifier } = await findConfiguration(ctx, configuration)
  return { name, identifier, key: { configurationId, skillId } }
}

/** Prints where a change left no skill that lists tools. */
export function printLimitsGone({ limitGone }: { limitGone: readonly string[] }): void {
  if (limitGone.length === 0) return
  printLine(
    `No skill of ${limitGone.join(', ')} declares allowed tools now: for new runs, only the other gates decide.`,
  )
}
