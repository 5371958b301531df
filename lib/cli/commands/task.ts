import type { Command } from 'commander'
import { type CommonOptions, nameList, wholeNumber, withCommonOptions } from '../common-options'
import { costCapOption } from '../cost-cap-option'
import type { EditTaskOptions, RunTaskOptions, SwitchTaskOptions } from '../task-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../task-verbs')

const example = `
A task is a file as "show" prints it; - reads standard input.
  toolgate task run release-notes --var version=2.1 --var tone=dry
  toolgate task show release-notes > notes.yaml
  toolgate task edit release-notes notes.yaml --note 'Ask for a summary'`

export function addTaskCommands(program: Command): void {
  const task = program
    .command('task')
    .description('saved prompts with variables')
    .addHelpText('after', example)
  withCommonOptions(task.command('list'))
    .description('list the tasks')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printTasks(options)),
    )
  withName(task.command('show'))
    .description('show a task as "add" and "edit" take it')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).printTask(name, options)),
    )
  addRun(task)
  addChanges(task)
  addHistory(task)
}

function addRun(task: Command): void {
  withName(task.command('run'))
    .option('--var <name=value>', 'value of a variable; once for each', collect)
    .option('--configuration <name>', 'another configuration than its own: identifier or id')
    .option('--tools <names>', 'offer only these tools, with commas between them', nameList)
    .option('--no-tools', 'offer no tools')
    .option('--max-rounds <number>', 'at most so many rounds (1 to 50)', wholeNumber(1, 50))
    .option(
      '--cost-cap <usd>',
      'say when it cost so many dollars; enforce:0.50 ends it then',
      costCapOption,
    )
    .description(
      'work a task to its end, as "toolgate run" does a prompt, with the same exit codes',
    )
    .action(async (name: string, options: RunTaskOptions) => {
      process.exitCode = await withInstallation(async () => (await load()).runTask(name, options))
    })
}

function addChanges(task: Command): void {
  withCommonOptions(task.command('add'))
    .argument('<file>', 'YAML or JSON; - reads standard input')
    .description('add a task')
    .action((file: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).addTask(file, options)),
    )
  withName(task.command('edit'))
    .argument('<file>', 'YAML or JSON; - reads standard input')
    .option('--note <text>', 'what changes, and why')
    .description('make a task what the file says, as a new version')
    .action((name: string, file: string, options: EditTaskOptions) =>
      withInstallation(async () => (await load()).editTask(name, file, options)),
    )
  for (const [verb, enabled, words, reason] of [
    ['enable', true, 'let it be run again', 'why'],
    ['disable', false, 'let nobody start it; runs under way go on', 'why; needed'],
  ] as const) {
    withName(task.command(verb))
      .option('--reason <text>', reason)
      .description(words)
      .action((name: string, options: SwitchTaskOptions) =>
        withInstallation(async () => (await load()).switchTask(name, enabled, options)),
      )
  }
  withName(task.command('remove'))
    .description('delete a task with its versions; its runs stay')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).removeTask(name, options)),
    )
}

function addHistory(task: Command): void {
  withName(task.command('versions'))
    .description('list what changed, when and by whom')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).printVersions(name, options)),
    )
  withName(task.command('restore'))
    .argument('<version>', 'one of those that "versions" lists', wholeNumber(1, 1_000_000))
    .description('bring an old version back, as a new one')
    .action((name: string, version: number, options: CommonOptions) =>
      withInstallation(async () => (await load()).restoreVersion(name, version, options)),
    )
}

function withName(command: Command): Command {
  return withCommonOptions(command).argument('<name>', 'the task: its identifier or id')
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
