import type { Command } from 'commander'
import { type CommonOptions, withCommonOptions } from '../common-options'
import type { ExplainOptions } from '../explain-verb'
import type { ToolOptions } from '../tool-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../tool-verbs')
const loadGroups = () => import('../tool-group-verbs')

export function addToolCommands(program: Command): void {
  const tools = program
    .command('tools')
    .description('see and switch the tools of this installation')
  withCommonOptions(tools.command('list'))
    .description('list every tool with its switch')
    .action((options: ToolOptions) =>
      withInstallation(async () => (await load()).printTools(options)),
    )
  addSwitch(tools, 'enable', true, 'why; a tool that shows raw data needs a reason')
  addSwitch(tools, 'disable', false, 'why')
  withCommonOptions(tools.command('reset'))
    .argument('<name>', 'name of the tool')
    .description("forget the switch, so that the tool's own default counts again")
    .action((name: string, options: ToolOptions) =>
      withInstallation(async () => (await load()).resetAndPrint(name, options)),
    )
  const group = tools.command('group').description('switch whole groups of tools')
  withCommonOptions(group.command('list'))
    .description('list the groups with their switches')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await loadGroups()).printToolGroups(options)),
    )
  addGroupSwitch(group, 'on', true, 'why')
  addGroupSwitch(group, 'off', false, 'why; needed, everybody reads it')
  withCommonOptions(tools.command('explain'))
    .option('--user <email>', 'whose runs (default: the account the command acts for)')
    .option('--configuration <name>', 'with which configuration: its identifier or id')
    .option('--task <name>', 'of which task: its identifier or id')
    .description('say for each tool whether it may run, or the first gate that says no')
    .action((options: ExplainOptions) =>
      withInstallation(async () => (await import('../explain-verb')).printExplanation(options)),
    )
}

function addSwitch(tools: Command, verb: string, enabled: boolean, reason: string): void {
  withCommonOptions(tools.command(verb))
    .argument('<name>', 'name of the tool')
    .option('--reason <text>', reason)
    .description(`switch a tool ${enabled ? 'on' : 'off'}, also for runs that are going`)
    .action((name: string, options: ToolOptions) =>
      withInstallation(async () => (await load()).switchAndPrint(name, enabled, options)),
    )
}

function addGroupSwitch(group: Command, verb: string, enabled: boolean, reason: string): void {
  withCommonOptions(group.command(verb))
    .argument('<name>', 'name of the group')
    .option('--reason <text>', reason)
    .description(
      enabled ? "let the switches of a group's tools count again" : 'switch off a whole group',
    )
    .action((name: string, options: ToolOptions) =>
      withInstallation(async () =>
        (await loadGroups()).switchGroupAndPrint(name, enabled, options),
      ),
    )
}
