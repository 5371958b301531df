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
    .option('-o, --output <file>', 'file to write (default: standard output)')
    .option(...acting)
    .action((options: ExportOptions) =>
      withInstallation(async () => (await load()).writeSite(options)),
    )
  program
    .command('apply')
    .description('change this site to match a file: shows the plan, asks, then applies it')
    .requiredOption('-f, --file <file>', 'the file; - reads standard input')
    .option('--plan', 'only show the plan; exit code 0 = no changes, 2 = changes')
    .option('--yes', 'apply without asking')
    .option('--reason <text>', 'reason, stored with each change', '')
    .option('--json', 'print the plan as JSON')
    .option(...acting)
    .action(async (options: ApplyOptions) => {
      process.exitCode = await withInstallation(async () => (await load()).applyFile(options))
    })
}
