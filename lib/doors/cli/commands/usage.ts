import { type Command, Option } from 'commander'
import { UsagePeriod, UsageSplit } from '@/lib/domains/usage/usage-filter'
import { withCommonOptions } from '../common-options'
import type { ExportUsageOptions, UsageOptions } from '../usage-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../usage-verbs')

export function addUsageCommands(program: Command): void {
  const usage = program.command('usage').description('model requests and what they cost')
  withCommonOptions(usage.command('show'))
    .description('totals of a period, next to those of the period before')
    .addOption(period())
    .addOption(
      new Option('--by <what>', 'what to group by').choices(UsageSplit.options).default('model'),
    )
    .action((options: UsageOptions) =>
      withInstallation(async () => (await load()).printUsage(options)),
    )
  usage
    .command('export')
    .description('write every request of a period to standard output (the export is audited)')
    .option('--as <email>', 'act for this account (default: the first admin)')
    .addOption(period())
    .addOption(
      new Option('--format <format>', 'output format').choices(['csv', 'ndjson']).default('csv'),
    )
    .action((options: ExportUsageOptions) =>
      withInstallation(async () => (await load()).writeUsage(options)),
    )
}

function period(): Option {
  return new Option('--period <period>', 'how far back to look')
    .choices(UsagePeriod.options)
    .default('30d')
}
