import type { Command } from 'commander'
import { withCommonOptions } from '../common-options'
import type { SetKeyOptions } from '../connection-verbs'
import { withInstallation } from '../with-installation'

const example = `
The key is read from standard input and nowhere else:
  toolgate key set --connection OpenAI < key.txt`

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys of providers, kept in the vault')
  const set = key
    .command('set')
    .description('store or replace the key of a connection')
    .requiredOption('--connection <name>', 'the connection: its name or id')
  withCommonOptions(set)
    .addHelpText('after', example)
    .action((options: SetKeyOptions) =>
      withInstallation(async () => (await import('../connection-verbs')).setKey(options)),
    )
}
