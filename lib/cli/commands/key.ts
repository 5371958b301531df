import type { Command } from 'commander'
import { withCommonOptions } from '../common-options'
import type { RemoveKeyOptions, SetKeyOptions } from '../key-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../key-verbs')

const example = `
The key is read from standard input only:
  toolgate key set --connection OpenAI < key.txt`

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys of providers, stored in the vault')
  const set = key
    .command('set')
    .description('test the key of a connection and store it if the provider accepts it')
    .requiredOption('--connection <name>', 'name or id of the connection')
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
    .option('--reason <text>', 'reason')
  withCommonOptions(remove).action((options: RemoveKeyOptions) =>
    withInstallation(async () => (await load()).removeKey(options)),
  )
}
