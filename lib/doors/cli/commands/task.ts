import type { Command } from 'commander'
import { type CommonOptions, wholeNumber, withCommonOptions } from '../common-options'
import { withRunOptions } from '../run-options'
import type { EditTaskOptions, RunTaskOptions, SwitchTaskOptions } from '../task-verbs'
import { withInstallation } from '../with-installation'

const nameOfTask = 'identifier or id of the task'

const load = () => import('../task-verbs')

const example = `
A task file has the form that "show" prints; - reads standard input.
  toolgate task run release-notes --var version=2.1 --var tone=dry
  toolgate task run check-bill --file bill.pdf
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
    .description('show a task in the form that "add" and "edit" read')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).printTask(name, options)),
    )
  addRun(task)
  addChanges(task)
  addHistory(task)
}

function addRun(task: Command): void {
  withRunOptions(task.command('run'))
    .argument('<name>', nameOfTask)
    .option('--var <name=value>', 'value of a variable; repeat for each', collect)
    .option('--configuration <name>', 'configuration to use instead of its own (identifier or id)')
    .description('run a task, with the same exit codes as "toolgate run"')
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
    .option('--note <text>', 'note for its history')
    .description('change a task to match the file, as a new version')
    .action((name: string, file: string, options: EditTaskOptions) =>
      withInstallation(async () => (await load()).editTask(name, file, options)),
    )
  for (const [verb, enabled, words, reason] of [
    ['enable', true, 'switch a task on', 'reason'],
    ['disable', false, 'switch a task off; active runs continue', 'reason (required)'],
  ] as const) {
    withName(task.command(verb))
      .option('--reason <text>', reason)
      .description(words)
      .action((name: string, options: SwitchTaskOptions) =>
        withInstallation(async () => (await load()).switchTask(name, enabled, options)),
      )
  }
  withName(task.command('delete').alias('remove'))
    .description('delete a task and its versions; its runs stay')
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
    .argument('<version>', 'a version that "versions" lists', wholeNumber(1, 1_000_000))
    .description('restore an old version as a new version')
    .action((name: string, version: number, options: CommonOptions) =>
      withInstallation(async () => (await load()).restoreVersion(name, version, options)),
    )
}

function withName(command: Command): Command {
  return withCommonOptions(command).argument('<name>', nameOfTask)
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
