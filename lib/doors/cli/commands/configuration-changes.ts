import { type Command, InvalidArgumentError } from 'commander'
import { type CommonOptions, wholeNumber, withCommonOptions } from '../common-options'
import type { CloneOptions, EditOptions, ReasonOptions } from '../configuration-edit-verbs'
import type { RestoreOptions, VersionsOptions } from '../configuration-version-verbs'
import { withInstallation } from '../with-installation'
import { addFormOptions } from './configuration-form-options'

const load = () => import('../configuration-edit-verbs')
const loadVersions = () => import('../configuration-version-verbs')

const editExample = `
Options you leave out keep their value. The word default sets a parameter back to the model's own default. Active runs
keep the settings they started with.

Example:
  toolgate configuration edit mini --temperature 0.2 --fallbacks 'Ollama/qwen3:8b' --cost-cap 0.05 --note 'Cheaper'`

/** Adds the commands that show a configuration or change it as a whole. */
export function addConfigurationChanges(parent: Command): void {
  withName(parent.command('show'))
    .description('show a configuration and what uses it')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).showConfiguration(name, options)),
    )
  const edit = withName(parent.command('edit'))
    .description('change a configuration, for runs that start from now on')
    .option('--identifier <name>', 'new identifier; the old one stops working')
    .option('--name <name>', 'new name shown to people')
    .option('--model <model>', 'new model, as CONNECTION/MODEL')
    .option(
      '--if-version <number>',
      'fail unless the configuration is at this version',
      wholeNumber(1, 1_000_000_000),
    )
    .option('--note <text>', 'note for its history')
  addFormOptions(edit)
    .addHelpText('after', editExample)
    .action((name: string, options: EditOptions) =>
      withInstallation(async () => (await load()).editAndPrint(name, options)),
    )
  withName(parent.command('clone'))
    .description('copy a configuration; only admins may use the copy')
    .requiredOption('--identifier <name>', 'identifier of the copy')
    .option('--name <name>', 'name of the copy, shown to people')
    .action((name: string, options: CloneOptions) =>
      withInstallation(async () => (await load()).cloneAndPrint(name, options)),
    )
  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    withName(parent.command(verb))
      .description(`switch a configuration ${enabled ? 'on' : 'off; its active runs end'}`)
      .option('--reason <text>', enabled ? 'reason' : 'reason (required)')
      .action((name: string, options: ReasonOptions) =>
        withInstallation(async () => (await load()).switchAndPrint(name, enabled, options)),
      )
  }
  withName(parent.command('delete').alias('remove'))
    .description('delete an unused configuration and its history; past runs stay')
    .option('--reason <text>', 'reason')
    .action((name: string, options: ReasonOptions) =>
      withInstallation(async () => (await load()).removeAndPrint(name, options)),
    )
  withName(parent.command('test'))
    .description('send one short real request with it, without tools; it costs money')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => {
        const { testAndPrint } = await import('../configuration-test-verb')
        process.exitCode = await testAndPrint(name, options)
      }),
    )
}

/** Adds the commands for the versions of a configuration. */
export function addConfigurationHistory(parent: Command): void {
  withName(parent.command('versions'))
    .description('list its versions, or compare two of them')
    .option('--diff <versions>', 'two versions, such as 3,5', twoVersions)
    .option('--page <number>', 'page of older versions', wholeNumber(1, 100_000))
    .action((name: string, options: VersionsOptions) =>
      withInstallation(async () => (await loadVersions()).versionsAndPrint(name, options)),
    )
  withName(parent.command('restore'))
    .argument('<version>', 'a version that "versions" lists', wholeNumber(1, 1_000_000_000))
    .description('restore an old version as a new version')
    .option('--note <text>', 'note for its history')
    .action((name: string, version: number, options: RestoreOptions) =>
      withInstallation(async () => (await loadVersions()).restoreAndPrint(name, version, options)),
    )
}

function withName(command: Command): Command {
  return withCommonOptions(command).argument('<name>', 'identifier or id of the configuration')
}

function twoVersions(text: string): [number, number] {
  const match = /^(\d{1,9}),(\d{1,9})$/.exec(text)
  if (match) return [Number(match[1]), Number(match[2])]
  throw new InvalidArgumentError('Give two versions with a comma between them, such as 3,5.')
}
