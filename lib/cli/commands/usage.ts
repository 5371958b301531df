import { type Command, Option } from 'commander'
import { UsagePeriod, UsageSplit } from '@/lib/usage/usage-filter'
import { withCommonOptions } from '../common-options'
import type { ExportUsageOptions, UsageOptions } from '../usage-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../usage-verbs')

export function addUsageCommands(program: Command): void {
  const usage = program.command('usage').description('what models were asked, and what it cost')
  withCommonOptions(usage.command('show'))
    .description('sums of a period, beside those of the one before')
    .addOption(period())
    .addOption(
      new Option('--by <what>', 'how to split it').choices(UsageSplit.options).default('model'),
    )
    .action((options: UsageOptions) =>
      withInstallation(async () => (await load()).printUsage(options)),
    )
  usage
    .command('export')
    .description('write every request of a period to standard output; that it was done is audited')
    .option('--as <email>', 'act for this account (default: the first admin)')
    .addOption(period())
    .addOption(
      new Option('--format <format>', 'how to write them')
        .choices(['csv', 'ndjson'])
        .default('csv'),
    )
    .action((options: ExportUsageOptions) =>
      withInstallation(async () => (await load()).writeUsage(options)),
    )
}

function period(): Option {
  return new Option('--period <period>', 'how far back').choices(UsagePeriod.options).default('30d')
}
