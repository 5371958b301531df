import type { Command } from 'commander'
import { type CommonOptions, withCommonOptions } from '../common-options'
import type { FreezeOptions } from '../freeze-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../freeze-verbs')

export function addFreezeCommands(program: Command): void {
  const freeze = withCommonOptions(program.command('freeze'))
    .description('stop all tools and runs of this site at once, or see whether they are stopped')
    .option('--reason <text>', 'why; everybody reads it')
    .action((options: FreezeOptions) =>
      withInstallation(async () => (await load()).freezeAndPrint(options)),
    )
  withCommonOptions(freeze.command('status'))
    .description('who froze this site, when and why')
    .action((_options: CommonOptions, command: Command) =>
      withInstallation(async () => (await load()).printFreeze(command.optsWithGlobals())),
    )
  withCommonOptions(program.command('unfreeze'))
    .description('let tools and runs of this site start again')
    .option('--reason <text>', 'why')
    .action((options: FreezeOptions) =>
      withInstallation(async () => (await load()).unfreezeAndPrint(options)),
    )
}
