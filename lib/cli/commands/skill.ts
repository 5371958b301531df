import type { Command } from 'commander'
import { type CommonOptions, withCommonOptions } from '../common-options'
import type { AddSkillOptions, AttachOptions } from '../skill-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../skill-verbs')

const example = `
A skill is a SKILL.md: front matter with name, description and allowed-tools, then its text. - reads standard input.
  toolgate skill add read-logs/SKILL.md
  toolgate skill attach read-logs --configuration mini`

export function addSkillCommands(program: Command): void {
  const skill = program
    .command('skill')
    .description('guidance that configurations send with their prompts')
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
    .option('--replace', 'also give new versions to skills that are here already')
    .description('add skills; what would change in existing ones is shown first')
    .action((file: string, options: AddSkillOptions) =>
      withInstallation(async () => (await load()).addSkills(file, options)),
    )
  withCommonOptions(skill.command('reload'))
    .description('read the skills folder (TOOLGATE_SKILLS_DIR) again')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).reloadFolder(options)),
    )
  addChanges(skill)
  addAttachment(skill, 'attach', true, 'send it with the prompts of a configuration')
  addAttachment(skill, 'detach', false, 'take it from a configuration')
}

function addChanges(skill: Command): void {
  withName(skill.command('accept'))
    .description('accept the change of a file that "show" prints, so that the skill counts again')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).acceptChange(name, options)),
    )
  withName(skill.command('enable'))
    .description('switch a skill on wherever it is attached')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).switchSkill(name, true, options)),
    )
  withName(skill.command('disable'))
    .description('switch a skill off wherever it is attached')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).switchSkill(name, false, options)),
    )
  withName(skill.command('remove'))
    .description('delete a skill that no configuration uses, with its versions')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).removeSkill(name, options)),
    )
}

function addAttachment(skill: Command, verb: string, attached: boolean, words: string): void {
  withName(skill.command(verb))
    .requiredOption('--configuration <identifier>', 'the configuration: its identifier or id')
    .description(words)
    .action((name: string, options: AttachOptions) =>
      withInstallation(async () => (await load()).attachAndPrint(name, attached, options)),
    )
}

function withName(command: Command): Command {
  return withCommonOptions(command).argument('<name>', 'the skill: its name or id')
}
