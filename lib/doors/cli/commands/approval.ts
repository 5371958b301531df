import type { Command } from 'commander'
import type { TryRuleOptions } from '../approval-rule-trial'
import type { AddRuleOptions, ChangeRuleOptions } from '../approval-rule-verbs'
import type { DecideOptions, EditOptions, ListApprovalsOptions } from '../approval-verbs'
import { type CommonOptions, wholeNumber, withCommonOptions } from '../common-options'
import { withInstallation } from '../with-installation'

const load = () => import('../approval-verbs')
const loadRules = () => import('../approval-rule-verbs')
const loadTrial = () => import('../approval-rule-trial')

const example = `
Let a person approve each call that reads debug lines:
  toolgate approval rule add --name "Debug lines" --tool fetch_logs \\
    --condition '$.level equals debug'
  toolgate approval list
  toolgate approval deny ID --message "Warnings are enough."`

export function addApprovalCommands(program: Command): void {
  const approval = program
    .command('approval')
    .description('calls waiting for approval, and the rules that say which calls wait')
    .addHelpText('after', example)
  withCommonOptions(approval.command('list'))
    .option('--all', 'also list decided calls')
    .description('list the waiting calls, oldest first')
    .action((options: ListApprovalsOptions) =>
      withInstallation(async () => (await load()).printApprovals(options)),
    )
  addDecision(approval, 'approve', 'run the call as the model wrote it')
  addDecision(approval, 'deny', 'deny the call; the model reads the message')
  withDecision(approval.command('edit'))
    .requiredOption('--arguments <json>', 'new arguments; - reads standard input')
    .description('run the call with other arguments')
    .action((id: string, options: EditOptions) =>
      withInstallation(async () => (await load()).edit(id, options)),
    )
  addRuleCommands(approval)
}

function addDecision(approval: Command, verb: 'approve' | 'deny', description: string): void {
  withDecision(approval.command(verb))
    .description(description)
    .action((id: string, options: DecideOptions) =>
      withInstallation(async () => (await load()).decide(id, verb, options)),
    )
}

function withDecision(command: Command): Command {
  return withCommonOptions(command)
    .argument('<id>', 'id of the approval')
    .option('--hash <sha256>', 'fail if the arguments of the call have another hash')
    .option('--message <text>', 'reason')
}

function addRuleCommands(approval: Command): void {
  const rule = approval.command('rule').description('which calls need approval')
  withCommonOptions(rule.command('list'))
    .description('list the rules')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await loadRules()).printRules(options)),
    )
  withParts(rule.command('add'))
    .requiredOption('--name <name>', 'name of the rule')
    .option('--disabled', 'add it switched off')
    .option('--not-yet', 'store it although its tool or group does not exist yet')
    .description('add a rule; a call must match every part you give')
    .action((options: AddRuleOptions) =>
      withInstallation(async () => (await loadRules()).addRule(options)),
    )
  withoutParts(withParts(rule.command('edit').alias('change')))
    .argument('<rule>', 'name or id of the rule')
    .option('--name <name>', 'new name')
    .option('--not-yet', 'store it although its tool or group does not exist yet')
    .description(
      'change a rule; options you leave out keep their value, and calls that wait keep waiting',
    )
    .action((name: string, options: ChangeRuleOptions) =>
      withInstallation(async () => (await loadRules()).changeRule(name, options)),
    )
  withoutParts(withParts(rule.command('try')))
    .argument('[rule]', 'name or id of a rule to start with')
    .option('--days <number>', 'number of days to look back (default: 30)', wholeNumber(1, 365))
    .description('show which past calls a rule would have stopped; changes nothing')
    .action((name: string | undefined, options: TryRuleOptions) =>
      withInstallation(async () => (await loadTrial()).tryRule(name, options)),
    )
  withCommonOptions(rule.command('delete').alias('remove'))
    .argument('<rule>', 'name or id of the rule')
    .description('delete a rule; calls that wait because of it keep waiting')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await loadRules()).removeRule(name, options)),
    )
  addSwitch(rule, 'enable', true)
  addSwitch(rule, 'disable', false)
}

function withParts(command: Command): Command {
  return withCommonOptions(command)
    .option('--tool <name>', 'calls of this tool')
    .option('--group <name>', 'calls of the tools of this group')
    .option('--configuration <name>', 'runs with this configuration (identifier or id)')
    .option('--condition <text...>', "'PATH OPERATOR VALUE', as in '$.to ends-with @example.org'")
}

function withoutParts(command: Command): Command {
  return command
    .option('--no-tool', 'calls of any tool')
    .option('--no-group', 'calls of the tools of any group')
    .option('--no-configuration', 'runs with any configuration')
    .option('--no-condition', 'any arguments')
}

function addSwitch(rule: Command, verb: string, enabled: boolean): void {
  withCommonOptions(rule.command(verb))
    .argument('<rule>', 'name or id of the rule')
    .description(`switch a rule ${enabled ? 'on' : 'off'}`)
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await loadRules()).switchRule(name, enabled, options)),
    )
}
