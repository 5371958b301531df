import type { Command } from 'commander'
import { wholeNumber, withCommonOptions } from '../common-options'
import type {
  AddKeyOptions,
  EditKeyOptions,
  ListKeysOptions,
  RemoveKeyOptions,
  SetKeyOptions,
} from '../key-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../key-verbs')

const example = `
The key is read from standard input only:
  toolgate key set --connection OpenAI < key.txt`

const addExample = `
The key is read from standard input only:
  toolgate key add --connection OpenAI --label team-b --weight 2 < key.txt`

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys of providers, stored in the vault')
  const list = key
    .command('list')
    .description('list the keys of a connection: label, last four characters, limits, health')
    .requiredOption('--connection <name>', 'name or id of the connection')
  withCommonOptions(list).action((options: ListKeysOptions) =>
    withInstallation(async () => (await load()).printKeys(options)),
  )
  const set = key
    .command('set')
    .description('test the key of a connection and store it if the provider accepts it')
    .requiredOption('--connection <name>', 'name or id of the connection')
    .option('--label <label>', 'label of a further key; left out = the key of the connection')
    .option('--no-test', 'store it without testing it')
  withCommonOptions(set)
    .addHelpText('after', example)
    .action((options: SetKeyOptions) =>
      withInstallation(async () => (await load()).setKey(options)),
    )
  const remove = key
    .command('delete')
    .alias('remove')
    .description('delete the key of a connection from the vault')
    .requiredOption('--connection <name>', 'name or id of the connection')
    .option('--label <label>', 'label of a further key; left out = the key of the connection')
    .option('--reason <text>', 'reason')
  withCommonOptions(remove).action((options: RemoveKeyOptions) =>
    withInstallation(async () => (await load()).removeKey(options)),
  )
  addFurther(key)
}

/** A connection may have several keys; requests choose among them by weight, health and limits. */
function addFurther(key: Command): void {
  const add = key
    .command('add')
    .description('test a further key and add it to a connection')
    .requiredOption('--connection <name>', 'name or id of the connection')
    .requiredOption('--label <label>', 'what it is called')
    .option('--no-test', 'store it without testing it')
  withCommonOptions(withLimits(add))
    .addHelpText('after', addExample)
    .action((options: AddKeyOptions) =>
      withInstallation(async () => (await load()).addFurtherKey(options)),
    )
  const edit = key
    .command('edit')
    .description('change how a key is used; options you leave out keep their value')
    .requiredOption('--connection <name>', 'name or id of the connection')
    .requiredOption('--label <label>', 'its label; "main" is the key of the connection')
    .option('--new-label <label>', 'what it is called from now on')
    .option('--on', 'use it, and end its pause')
    .option('--off', 'do not use it')
    .option('--reason <text>', 'reason')
  // Behind the options they switch off: they would set those by themselves otherwise.
  withLimits(edit)
    .option('--no-requests-per-minute', 'no limit of requests')
    .option('--no-tokens-per-minute', 'no limit of tokens')
  withCommonOptions(edit).action((options: EditKeyOptions) =>
    withInstallation(async () => (await load()).editKey(options)),
  )
}

function withLimits(command: Command): Command {
  const perMinute = wholeNumber(1, 2_000_000_000)
  return command
    .option('--weight <number>', 'how often it is picked, 1-1000', wholeNumber(1, 1_000))
    .option('--requests-per-minute <number>', 'at most so many requests a minute', perMinute)
    .option('--tokens-per-minute <number>', 'at most so many tokens a minute', perMinute)
}
