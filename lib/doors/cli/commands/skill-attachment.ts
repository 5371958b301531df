import { type Command, Option } from 'commander'
import { toolsLeftWords } from '@/lib/domains/skills/shape'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { visibleText } from '@/lib/words/clean-text'
import { command } from '../command'
import { printLine } from '../print'

const verbs = () => import('@/lib/domains/skills/attachments')
const checkedVerbs = () => import('@/lib/joined-verbs')

type HereOptions = { configuration: string; yes?: boolean }

const named = { '<name>': 'name or id of the skill' }

const withConfiguration = (made: Command) =>
  made.requiredOption('--configuration <identifier>', 'identifier or id of the configuration')

const withYes = (made: Command) =>
  made.option('--yes', 'also when no tool remains for the configuration')

export function addAttachmentCommands(skill: Command): void {
  command<HereOptions>(skill, 'attach', {
    description: 'send a skill with the prompts of a configuration',
    args: named,
    confirms: 'cases',
    options: (made) => withYes(withConfiguration(made)),
    work: async ({ ctx, args: [name = ''], options }) => {
      const { identifier, key } = await find(ctx, name, options)
      const { addSkill } = await checkedVerbs()
      const change = await orSayYes(() => addSkill(ctx, { ...key, confirmed: options.yes }))
      const text = () => {
        printLine(`${identifier} ${change.changed ? 'now' : 'already'} uses the skill.`)
        printLine(visibleText(toolsLeftWords(change.tools)))
        printLimitsGone(change)
      }
      return { json: { ...key, attached: true, ...change }, text }
    },
  })
  command<HereOptions>(skill, 'detach', {
    description: 'stop sending a skill with a configuration',
    args: named,
    confirms: 'cases',
    options: withConfiguration,
    work: async ({ ctx, args: [name = ''], options }) => {
      const { identifier, key } = await find(ctx, name, options)
      const change = await (await verbs()).detachSkill(ctx, key)
      const text = () => {
        printLine(`${identifier} ${change.changed ? 'now' : 'already'} does not use the skill.`)
        printLimitsGone(change)
      }
      return { json: { ...key, attached: false, ...change }, text }
    },
  })
  command<HereOptions & { on?: true; off?: true }>(skill, 'use', {
    description: 'switch an attached skill on or off for one configuration',
    args: named,
    confirms: 'cases',
    options: (made) =>
      withYes(withConfiguration(made))
        .addOption(
          new Option('--on', 'switch the skill on for this configuration').conflicts('off'),
        )
        .addOption(
          new Option('--off', 'switch the skill off for this configuration; it keeps its place'),
        ),
    work: async ({ ctx, args: [given = ''], options }) => {
      const enabled = oneOf(options.on, options.off, 'Give --on or --off.')
      const { name, identifier, key } = await find(ctx, given, options)
      const { switchAddedSkill } = await checkedVerbs()
      const input = { ...key, enabled, confirmed: options.yes }
      const change = await orSayYes(() => switchAddedSkill(ctx, input))
      const words = change.changed ? 'now' : 'not attached or already'
      const text = () => {
        printLine(`${name} is ${words} ${enabled ? 'on' : 'off'} in ${identifier}.`)
        if (enabled) printLine(visibleText(toolsLeftWords(change.tools)))
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

/** Adds to a question that the server asks how to answer it here. */
export async function orSayYes<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ConflictError) || error.fields?.confirmed === undefined) throw error
    throw new ConflictError(`${error.message} Add --yes to do that.`)
  }
}

/** Prints where a change left no skill that lists tools. */
export function printLimitsGone({ limitGone }: { limitGone: readonly string[] }): void {
  if (limitGone.length === 0) return
  printLine(
    `No skill of ${limitGone.join(', ')} declares allowed tools now: for new runs, only the other gates decide.`,
  )
}
