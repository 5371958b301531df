import type { Command } from 'commander'
import { type CommonOptions, withCommonOptions } from '../common-options'
import type { ExplainOptions } from '../explain-verb'
import type { ToolOptions } from '../tool-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../tool-verbs')
const loadGroups = () => import('../tool-group-verbs')

export function addToolCommands(program: Command): void {
  const tools = program.command('tools').description('list tools and switch them on or off')
  withCommonOptions(tools.command('list'))
    .description('list every tool and whether it is on')
    .action((options: ToolOptions) =>
      withInstallation(async () => (await load()).printTools(options)),
    )
  addSwitch(tools, 'enable', true, 'reason; required for a tool that shows raw data')
  addSwitch(tools, 'disable', false, 'reason')
  withCommonOptions(tools.command('reset'))
    .argument('<name>', 'name of the tool')
    .description('set a tool back to its default')
    .action((name: string, options: ToolOptions) =>
      withInstallation(async () => (await load()).resetAndPrint(name, options)),
    )
  const group = tools.command('group').description('switch whole groups of tools')
  withCommonOptions(group.command('list'))
    .description('list the groups and whether they are on')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await loadGroups()).printToolGroups(options)),
    )
  addGroupSwitch(group, 'on', true, 'reason')
  addGroupSwitch(group, 'off', false, 'reason (required); everybody sees it')
  withCommonOptions(tools.command('explain'))
    .option(
      '--user <email>',
      'person who starts the run (default: the account the command acts for)',
    )
    .option('--configuration <name>', 'configuration of the run (identifier or id)')
    .option('--task <name>', 'task of the run (identifier or id)')
    .description('show for each tool whether it may run, or the first gate that denies it')
    .action((options: ExplainOptions) =>
      withInstallation(async () => (await import('../explain-verb')).printExplanation(options)),
    )
}

function addSwitch(tools: Command, verb: string, enabled: boolean, reason: string): void {
  withCommonOptions(tools.command(verb))
    .argument('<name>', 'name of the tool')
    .option('--reason <text>', reason)
    .description(`switch a tool ${enabled ? 'on' : 'off'}, also for active runs`)
    .action((name: string, options: ToolOptions) =>
      withInstallation(async () => (await load()).switchAndPrint(name, enabled, options)),
    )
}

function addGroupSwitch(group: Command, verb: string, enabled: boolean, reason: string): void {
  withCommonOptions(group.command(verb))
    .argument('<name>', 'name of the group')
    .option('--reason <text>', reason)
    .description(
      enabled
        ? 'switch a group on; its tools follow their own switches again'
        : 'switch a group off, with all its tools',
    )
    .action((name: string, options: ToolOptions) =>
      withInstallation(async () =>
        (await loadGroups()).switchGroupAndPrint(name, enabled, options),
      ),
    )
}
