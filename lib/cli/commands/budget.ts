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
    .description('what the site, groups, people and configurations may use a day or a month')
    .addHelpText('after', example)
  withCommonOptions(budget.command('list'))
    .description('list the budgets, the fullest first')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printBudgets(options)),
    )
  withFacts(budget.command('add'))
    .option('--site', 'for the whole site')
    .option('--group <name>', 'for all members of a group together')
    .option('--user <email>', 'for one person')
    .option('--configuration <name>', 'for all runs with a configuration: its identifier or id')
    .requiredOption('--limit <limit>', '"$12.50", "100000 tokens" or "500 requests"')
    .addOption(new Option('--per <window>', 'how often it resets').choices(['day', 'month']))
    .option('--disabled', 'do not use it yet')
    .description('add a budget; it counts calls from now on')
    .action((options: AddBudgetOptions) =>
      withInstallation(async () =>
        (await load()).addBudget({ ...options, per: options.per ?? 'month' }),
      ),
    )
  withFacts(budget.command('edit'))
    .argument('<id>', 'id of the budget')
    .option('--limit <limit>', 'the limit from now on')
    .description('change a budget; what is not given stays')
    .action((id: string, options: EditBudgetOptions) =>
      withInstallation(async () => (await load()).editBudget(id, options)),
    )
  addSwitch(budget, 'enable', true)
  addSwitch(budget, 'disable', false)
  withReason(budget.command('remove'))
    .argument('<id>', 'id of the budget')
    .description('remove a budget with all it counted')
    .action((id: string, options: ReasonOptions) =>
      withInstallation(async () => (await load()).removeBudget(id, options)),
    )
  withCommonOptions(budget.command('check'))
    .option('--repair', 'set counters that differ to what their calls say')
    .description(
      'compare what budgets count with the sum of their calls; exit code 1 = they differ',
    )
    .action(async (options: CheckOptions) => {
      process.exitCode = await withInstallation(async () => (await load()).checkLedgers(options))
    })
}

function withReason(command: Command): Command {
  return withCommonOptions(command).option('--reason <text>', 'why, for the audit')
}

function withFacts(command: Command): Command {
  return withReason(command).addOption(
    new Option(
      '--unpriced <rule>',
      'what a money budget does with a model that has no price',
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
