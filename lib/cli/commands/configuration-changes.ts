import { type Command, InvalidArgumentError } from 'commander'
import { type CommonOptions, wholeNumber, withCommonOptions } from '../common-options'
import type { CloneOptions, EditOptions, ReasonOptions } from '../configuration-edit-verbs'
import type { RestoreOptions, VersionsOptions } from '../configuration-version-verbs'
import { withInstallation } from '../with-installation'
import { addFormOptions } from './configuration-form-options'

const load = () => import('../configuration-edit-verbs')
const loadVersions = () => import('../configuration-version-verbs')

const editExample = `
What is not given stays. A parameter goes back to the model's own with the word default. Runs that are going keep what
they began with.

Example:
  toolgate configuration edit mini --temperature 0.2 --fallbacks 'Ollama/qwen3:8b' --cost-cap 0.05 --note 'Cheaper'`

/** Everything that changes a configuration as a whole, and the look at one. */
export function addConfigurationChanges(parent: Command): void {
  withName(parent.command('show'))
    .description('show everything of it, and what uses it')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).showConfiguration(name, options)),
    )
  const edit = withName(parent.command('edit'))
    .description('change it for runs that begin from now on')
    .option(
      '--identifier <name>',
      'another short name; whoever uses the old one no longer finds it',
    )
    .option('--name <name>', 'name for people')
    .option('--model <model>', 'another model, as CONNECTION/MODEL')
    .option(
      '--if-version <number>',
      'only while it is at this version',
      wholeNumber(1, 1_000_000_000),
    )
    .option('--note <text>', 'what and why, for its history')
  addFormOptions(edit)
    .addHelpText('after', editExample)
    .action((name: string, options: EditOptions) =>
      withInstallation(async () => (await load()).editAndPrint(name, options)),
    )
  withName(parent.command('clone'))
    .description('add one that is like it; only admins may use the copy')
    .requiredOption('--identifier <name>', 'short name of the copy')
    .option('--name <name>', 'name of the copy for people')
    .action((name: string, options: CloneOptions) =>
      withInstallation(async () => (await load()).cloneAndPrint(name, options)),
    )
  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    withName(parent.command(verb))
      .description(`switch it ${enabled ? 'on' : 'off; its runs under way end'}`)
      .option('--reason <text>', enabled ? 'why' : 'why; needed')
      .action((name: string, options: ReasonOptions) =>
        withInstallation(async () => (await load()).switchAndPrint(name, enabled, options)),
      )
  }
  withName(parent.command('remove'))
    .description('delete one that nothing uses, with its history; past runs stay')
    .option('--reason <text>', 'why')
    .action((name: string, options: ReasonOptions) =>
      withInstallation(async () => (await load()).removeAndPrint(name, options)),
    )
  withName(parent.command('test'))
    .description('make one short real run with it, without tools; it costs money')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => {
        const { testAndPrint } = await import('../configuration-test-verb')
        process.exitCode = await testAndPrint(name, options)
      }),
    )
}

/** What it was, and the way back. */
export function addConfigurationHistory(parent: Command): void {
  withName(parent.command('versions'))
    .description('list its versions, or show what two of them differ in')
    .option('--diff <versions>', 'two versions, such as 3,5', twoVersions)
    .option('--page <number>', 'older ones', wholeNumber(1, 100_000))
    .action((name: string, options: VersionsOptions) =>
      withInstallation(async () => (await loadVersions()).versionsAndPrint(name, options)),
    )
  withName(parent.command('restore'))
    .argument('<version>', 'one of those that "versions" lists', wholeNumber(1, 1_000_000_000))
    .description('bring an old version back, as a new one')
    .option('--note <text>', 'why, for its history')
    .action((name: string, version: number, options: RestoreOptions) =>
      withInstallation(async () => (await loadVersions()).restoreAndPrint(name, version, options)),
    )
}

function withName(command: Command): Command {
  return withCommonOptions(command).argument('<name>', 'the configuration: its identifier or id')
}

function twoVersions(text: string): [number, number] {
  const match = /^(\d{1,9}),(\d{1,9})$/.exec(text)
  if (match) return [Number(match[1]), Number(match[2])]
  throw new InvalidArgumentError('Give two versions with a comma between them, such as 3,5.')
}
