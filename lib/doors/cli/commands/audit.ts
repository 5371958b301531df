import { type Command, Option } from 'commander'
import type { ExportAuditOptions, ListAuditOptions } from '../audit-verbs'
import { wholeNumber, withCommonOptions } from '../common-options'
import { withInstallation } from '../with-installation'

const load = () => import('../audit-verbs')

export function addAuditCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description('who changed what and when, and what was refused')
  withFilter(withCommonOptions(audit.command('list')))
    .description('list changes and refusals, newest first')
    .option('--limit <number>', 'maximum number of entries', wholeNumber(1, 500), 50)
    .option('--cursor <id>', 'continue after this entry')
    .action((options: ListAuditOptions) =>
      withInstallation(async () => (await load()).printAudit(options)),
    )
  withFilter(audit.command('export'))
    .description('write all matching entries to standard output (the export is audited)')
    .option('--as <email>', 'act for this account (default: the first admin)')
    .addOption(
      new Option('--format <format>', 'output format').choices(['csv', 'ndjson']).default('csv'),
    )
    .action((options: ExportAuditOptions) =>
      withInstallation(async () => (await load()).writeAudit(options)),
    )
}

function withFilter(command: Command): Command {
  return command
    .addOption(
      new Option('--kind <kind>', 'changes, or what was refused').choices(['change', 'refusal']),
    )
    .option('--actor <text>', 'part of the e-mail address of the person')
    .option('--action <name>', 'action, such as tool.switch-off')
    .option('--object-type <name>', 'kind of object, such as user or configuration')
    .option('--object-id <id>', 'id of the changed object')
    .option('--from <time>', 'earliest time, such as 2026-11-22T00:00:00Z')
    .option('--to <time>', 'latest time, such as 2026-11-23T00:00:00Z')
}
