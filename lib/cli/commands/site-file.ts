import type { Command } from 'commander'
import type { ApplyOptions, ExportOptions } from '../site-file-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../site-file-verbs')
const acting = ['--as <email>', 'act for this account (default: the first admin)'] as const

export function addSiteFileCommands(program: Command): void {
  program
    .command('export')
    .description(
      'write connections (without secrets), models, configurations, tasks, skills and switches of tools as one YAML file',
    )
    .option('-o, --output <file>', 'where to; standard output without it')
    .option(...acting)
    .action((options: ExportOptions) =>
      withInstallation(async () => (await load()).writeSite(options)),
    )
  program
    .command('apply')
    .description('make this site what a file says: shows the plan, then carries it out')
    .requiredOption('-f, --file <file>', 'the file; - reads standard input')
    .option(
      '--plan',
      'only show it: exits with 0 when there is nothing to do, with 2 when there is',
    )
    .option('--yes', 'do not ask')
    .option('--reason <text>', 'kept with each change', '')
    .option('--json', 'print the plan as JSON')
    .option(...acting)
    .action(async (options: ApplyOptions) => {
      process.exitCode = await withInstallation(async () => (await load()).applyFile(options))
    })
}
