import type { Command } from 'commander'
import { type CommonOptions, withCommonOptions } from '../common-options'
import type { RotateOptions } from '../vault-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../vault-verbs')

const rotateHelp = `
Servers may keep running. If this command is interrupted, run it again: the rotation continues. If TOOLGATE_VAULT_KEY
is set in the environment, put the new key there and the old one into TOOLGATE_VAULT_KEY_PREVIOUS, and restart every
server with both keys before you run this command (docs/vault.md).`

export function addVaultCommands(program: Command): void {
  const vault = program.command('vault').description('the key that encrypts stored secrets')
  withCommonOptions(vault.command('status'))
    .description('show which key is in use, and the progress of a rotation')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printVaultStatus(options)),
    )
  withCommonOptions(vault.command('rotate'))
    .description('re-encrypt every secret with a new key')
    .option('--reason <text>', 'reason')
    .addHelpText('after', rotateHelp)
    .action((options: RotateOptions) =>
      withInstallation(async () => (await load()).rotateAndPrint(options)),
    )
}
