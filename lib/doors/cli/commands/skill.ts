import { type Command, Option } from 'commander'
import { ValidationError } from '@/lib/kernel/errors'
import { type CommonOptions, wholeNumber, withCommonOptions } from '../common-options'
import type { AttachOptions } from '../skill-attachment-verbs'
import type { AddSkillOptions } from '../skill-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../skill-verbs')
const loadAttachment = () => import('../skill-attachment-verbs')

const example = `
A skill is a SKILL.md file: front matter with name, description and allowed-tools, then the text. - reads standard input.
  toolgate skill add read-logs/SKILL.md
  toolgate skill attach read-logs --configuration mini`

export function addSkillCommands(program: Command): void {
  const skill = program
    .command('skill')
    .description('instructions that configurations send with their prompts')
    .addHelpText('after', example)
  withCommonOptions(skill.command('list'))
    .description('list the skills with their state')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printSkills(options)),
    )
  withName(skill.command('show'))
    .description('show a skill with its text and its versions')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).printSkill(name, options)),
    )
  withCommonOptions(skill.command('add'))
    .argument('<file>', 'a SKILL.md or a zip archive of them; - reads standard input')
    .option('--replace', 'also write new versions of existing skills')
    .description('add skills; changes to existing ones are shown first')
    .action((file: string, options: AddSkillOptions) =>
      withInstallation(async () => (await load()).addSkills(file, options)),
    )
  withCommonOptions(skill.command('reload'))
    .description('read the skills folder (TOOLGATE_SKILLS_DIR) again')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).reloadFolder(options)),
    )
  addChanges(skill)
  addAttachment(skill)
}

function addChanges(skill: Command): void {
  withName(skill.command('accept'))
    .description('accept the changed file that "show" prints, so that the skill is used again')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).acceptChange(name, options)),
    )
  withName(skill.command('enable'))
    .description('switch a skill on for all configurations and tasks')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).switchSkill(name, true, options)),
    )
  withName(skill.command('disable'))
    .description('switch a skill off for all configurations and tasks')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).switchSkill(name, false, options)),
    )
  withCommonOptions(skill.command('restore'))
    .argument('<name>', 'name or id of the skill')
    .argument('<version>', 'a version that "show" lists', wholeNumber(1, 1_000_000))
    .description('restore an old version as a new version')
    .action((name: string, version: number, options: CommonOptions) =>
      withInstallation(async () => (await load()).restoreVersion(name, version, options)),
    )
  withName(skill.command('delete').alias('remove'))
    .description('delete an unused skill and its versions')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).removeSkill(name, options)),
    )
}

function addAttachment(skill: Command): void {
  for (const [verb, attached, words] of [
    ['attach', true, 'send a skill with the prompts of a configuration'],
    ['detach', false, 'stop sending a skill with a configuration'],
  ] as const) {
    withConfiguration(skill.command(verb))
      .description(words)
      .action((name: string, options: AttachOptions) =>
        withInstallation(async () =>
          (await loadAttachment()).attachAndPrint(name, attached, options),
        ),
      )
  }
  withConfiguration(skill.command('use'))
    .addOption(new Option('--on', 'switch the skill on for this configuration').conflicts('off'))
    .addOption(
      new Option('--off', 'switch the skill off for this configuration; it keeps its place'),
    )
    .description('switch an attached skill on or off for one configuration')
    .action((name: string, options: AttachOptions & { on?: true; off?: true }) =>
      withInstallation(async () => {
        const enabled = oneOf(options.on, options.off, 'Give --on or --off.')
        await (await loadAttachment()).useAndPrint(name, enabled, options)
      }),
    )
  withConfiguration(skill.command('move'))
    .addOption(new Option('--up', 'one place earlier').conflicts('down'))
    .addOption(new Option('--down', 'one place later'))
    .description('change the order in which a configuration sends its skills')
    .action((name: string, options: AttachOptions & { up?: true; down?: true }) =>
      withInstallation(async () => {
        const isUp = oneOf(options.up, options.down, 'Give --up or --down.')
        await (await loadAttachment()).moveAndPrint(name, isUp ? 'up' : 'down', options)
      }),
    )
}

function oneOf(first: true | undefined, second: true | undefined, message: string): boolean {
  if (first === undefined && second === undefined) throw new ValidationError({ command: message })
  return first === true
}

function withConfiguration(command: Command): Command {
  return withName(command).requiredOption(
    '--configuration <identifier>',
    'identifier or id of the configuration',
  )
}

function withName(command: Command): Command {
  return withCommonOptions(command).argument('<name>', 'name or id of the skill')
}
