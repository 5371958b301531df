import type { Command } from 'commander'
import { withCommonOptions } from '../common-options'
import type { RemoveKeyOptions, SetKeyOptions } from '../key-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../key-verbs')

const example = `
The key is read from standard input and nowhere else:
  toolgate key set --connection OpenAI < key.txt`

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys of providers, kept in the vault')
  const set = key
    .command('set')
    .description('store or replace the key of a connection, once its provider takes it')
    .requiredOption('--connection <name>', 'the connection: its name or id')
    .option('--no-test', 'store it without asking the provider')
  withCommonOptions(set)
    .addHelpText('after', example)
    .action((options: SetKeyOptions) =>
      withInstallation(async () => (await load()).setKey(options)),
    )
  const remove = key
    .command('remove')
    .description('delete the key of a connection from the vault')
    .requiredOption('--connection <name>', 'the connection: its name or id')
    .option('--reason <text>', 'why')
  withCommonOptions(remove).action((options: RemoveKeyOptions) =>
    withInstallation(async () => (await load()).removeKey(options)),
  )
}
