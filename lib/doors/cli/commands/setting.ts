import type { Command } from 'commander'
import { type CommonOptions, withCommonOptions } from '../common-options'
import type { SettingOptions } from '../setting-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../setting-verbs')

export function addSettingCommands(program: Command): void {
  const setting = program.command('setting').description('show and change settings of the site')
  withCommonOptions(setting.command('list'))
    .description('list every setting with its value')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printSettings(options)),
    )
  withCommonOptions(setting.command('get'))
    .argument('<name>', 'name of the setting')
    .description('print the value of one setting')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).printSetting(name, options)),
    )
  withCommonOptions(setting.command('set'))
    .argument('<name>', 'name of the setting')
    .argument(
      '<value>',
      'for approval-lifetime and session-idle: 5m to 30d, such as 90m, 24h or 7d; for second-factor: none, admins or everyone',
    )
    .option('--reason <text>', 'reason')
    .description('change one setting')
    .action((name: string, value: string, options: SettingOptions) =>
      withInstallation(async () => (await load()).setAndPrint(name, value, options)),
    )
}
