import { type Command, Option } from 'commander'
import type {
  AddBudgetOptions,
  CheckOptions,
  EditBudgetOptions,
  ReasonOptions,
} from '../budget-verbs'
import { type CommonOptions, withCommonOptions } from '../common-options'
import { withInstallation } from '../with-installation'

const load = () => import('../budget-verbs')

const example = `
  toolgate budget add --site --limit '$50' --per month
  toolgate budget add --group Support --limit '200000 tokens' --per day
  toolgate budget add --user ada@example.org --limit '100 requests' --per day
  toolgate budget check`

export function addBudgetCommands(program: Command): void {
  const budget = program
    .command('budget')
    .description('daily and monthly limits for the site, groups, people and configurations')
    .addHelpText('after', example)
  withCommonOptions(budget.command('list'))
    .description('list the budgets, the most used first')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printBudgets(options)),
    )
  withFacts(budget.command('add'))
    .option('--site', 'for the whole site')
    .option('--group <name>', 'for all members of a group together')
    .option('--user <email>', 'for one person')
    .option('--configuration <name>', 'for all runs with a configuration (identifier or id)')
    .requiredOption('--limit <limit>', '"$12.50", "100000 tokens" or "500 requests"')
    .addOption(new Option('--per <window>', 'how often it resets').choices(['day', 'month']))
    .option('--disabled', 'add it switched off')
    .description('add a budget; it counts requests from now on')
    .action((options: AddBudgetOptions) =>
      withInstallation(async () =>
        (await load()).addBudget({ ...options, per: options.per ?? 'month' }),
      ),
    )
  withFacts(budget.command('edit'))
    .argument('<id>', 'id of the budget')
    .option('--limit <limit>', 'the new limit')
    .description('change a budget; options you leave out keep their value')
    .action((id: string, options: EditBudgetOptions) =>
      withInstallation(async () => (await load()).editBudget(id, options)),
    )
  addSwitch(budget, 'enable', true)
  addSwitch(budget, 'disable', false)
  withReason(budget.command('delete').alias('remove'))
    .argument('<id>', 'id of the budget')
    .description('delete a budget and its counters')
    .action((id: string, options: ReasonOptions) =>
      withInstallation(async () => (await load()).removeBudget(id, options)),
    )
  withCommonOptions(budget.command('check'))
    .option('--repair', 'correct counters that differ')
    .description(
      'compare the counters of budgets with the sum of their requests; exit code 1 = they differ',
    )
    .action(async (options: CheckOptions) => {
      process.exitCode = await withInstallation(async () => (await load()).checkLedgers(options))
    })
}

function withReason(command: Command): Command {
  return withCommonOptions(command).option('--reason <text>', 'reason, stored in the audit')
}

function withFacts(command: Command): Command {
  return withReason(command).addOption(
    new Option(
      '--unpriced <rule>',
      'what a cost budget does with a model that has no price',
    ).choices(['refuse', 'count-tokens']),
  )
}

function addSwitch(budget: Command, verb: string, enabled: boolean): void {
  withReason(budget.command(verb))
    .argument('<id>', 'id of the budget')
    .description(`switch a budget ${enabled ? 'on' : 'off'}`)
    .action((id: string, options: ReasonOptions) =>
      withInstallation(async () => (await load()).switchBudget(id, enabled, options)),
    )
}
