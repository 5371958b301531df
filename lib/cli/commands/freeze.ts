import type { Command } from 'commander'
import { type CommonOptions, withCommonOptions } from '../common-options'
import type { FreezeOptions } from '../freeze-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../freeze-verbs')

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
