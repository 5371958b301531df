import type { Command } from 'commander'
import { type CommonOptions, withCommonOptions } from '../common-options'
import type { RotateOptions } from '../vault-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../vault-verbs')

const rotateHelp = `
Servers may run meanwhile. Killed half-way, it goes on when it is called again.
Where TOOLGATE_VAULT_KEY is in the environment, put the new key there and the old one into
TOOLGATE_VAULT_KEY_PREVIOUS, and restart every server with both before this (docs/vault.md).`

export function addVaultCommands(program: Command): void {
  const vault = program.command('vault').description('the key that seals stored secrets')
  withCommonOptions(vault.command('status'))
    .description('say which key seals, and how far a rotation is')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printVaultStatus(options)),
    )
  withCommonOptions(vault.command('rotate'))
    .description('move every secret to a new key')
    .option('--reason <text>', 'why')
    .addHelpText('after', rotateHelp)
    .action((options: RotateOptions) =>
      withInstallation(async () => (await load()).rotateAndPrint(options)),
    )
}
