import type { Command } from 'commander'
import { AppError } from '@/lib/kernel/errors'
import type { ApplyOptions } from '../apply-file'
import { command } from '../command'
import { withConfirmation } from '../input/common-options'
import { terminal } from '../terminal'

export function addSiteFileCommands(program: Command): void {
  command<{ output?: string }>(program, 'export', {
    description:
      'write connections (without secrets), models, configurations, tasks, skills and switches of tools as one YAML file',
    json: false,
    options: (made) =>
      made.option('-o, --output <file>', 'file to write (default: standard output)'),
    work: async ({ ctx, options: { output } }) => {
      const { exportSite } = await import('@/lib/site-file/export-site')
      const text = await exportSite(ctx)
      if (output === undefined) return { text: () => void terminal().write(text) }
      await terminal()
        .writeFile(output, text)
        .catch(() => {
          throw new AppError('file', 500, `Cannot write ${output}. Check its folder.`)
        })
      return { text: `Wrote ${output}.` }
    },
  })
  withConfirmation(program.command('apply'))
    .description('change this site to match a file: shows the plan, asks, then applies it')
    .requiredOption('-f, --file <file>', 'the file; - reads standard input')
    .option(
      '--plan',
      'only show the plan; exit code 0 = no changes, 2 = changes, 1 = it breaks policy cases or cannot be applied',
    )
    .option('--yes', 'apply without asking')
    .option('--reason <text>', 'reason, stored with each change', '')
    .option('--json', 'print the plan as JSON')
    .option('--as <email>', 'act for this account (default: the first admin)')
    .action(async (options: ApplyOptions) => {
      terminal().exitCode = await terminal().withInstallation(async () =>
        (await import('../apply-file')).applyFile(options),
      )
    })
}
