import type { Command } from 'commander'
import { type CommonOptions, withCommonOptions } from '../common-options'
import type { FreezeOptions, RotateOptions } from '../installation-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../installation-verbs')

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

export function addFreezeCommands(program: Command): void {
  const freeze = withCommonOptions(program.command('freeze'))
    .description('stop all tools and runs of this site at once, or show whether the site is frozen')
    .option('--reason <text>', 'reason; everybody sees it')
    .action((options: FreezeOptions) =>
      withInstallation(async () => (await load()).freezeAndPrint(options)),
    )
  withCommonOptions(freeze.command('status'))
    .description('show who froze this site, when and why')
    .action((_options: CommonOptions, command: Command) =>
      withInstallation(async () => (await load()).printFreeze(command.optsWithGlobals())),
    )
  withCommonOptions(program.command('unfreeze'))
    .description('allow tools and runs of this site again')
    .option('--reason <text>', 'reason')
    .action((options: FreezeOptions) =>
      withInstallation(async () => (await load()).unfreezeAndPrint(options)),
    )
}

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check this installation and say what to do; exits with 1 when something fails')
    .option('--json', 'write JSON to standard output')
    .action(async (options: { json?: boolean }) => {
      const { runDoctor } = await import('../doctor/examine')
      process.exitCode = await runDoctor(options)
    })
}
