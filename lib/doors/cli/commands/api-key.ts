import { type Command, InvalidArgumentError, Option } from 'commander'
import { ApiScope } from '@/lib/protocol/api-scope'
import type { CreateApiKeyOptions, RevokeApiKeyOptions } from '../api-key-verbs'
import { type CommonOptions, nameList, wholeNumber, withCommonOptions } from '../common-options'
import { withInstallation } from '../with-installation'

const load = () => import('../api-key-verbs')

export function addApiKeyCommands(program: Command): void {
  const apiKey = program
    .command('api-key')
    .description('keys for the HTTP API of this installation')
  const create = apiKey
    .command('add')
    .alias('create')
    .description('add a key and show it once; it never allows more than its account may do')
    .requiredOption('--user <email>', 'account that the key acts for')
    .requiredOption('--name <name>', 'purpose of the key')
    .requiredOption(
      '--scopes <names>',
      `scopes, separated by commas: ${ApiScope.options.join(', ')}`,
      nameList,
    )
    .option(
      '--expires <time>',
      'when it expires, in days such as 30d, or never (default: 90d)',
      expiryDays,
    )
    .addOption(
      new Option('--expires-in-days <number>', 'the same as a number of days')
        .argParser(wholeNumber(1, 3650))
        .conflicts('expires'),
    )
  withCommonOptions(create).action((options: CreateApiKeyOptions) =>
    withInstallation(async () => (await load()).addApiKey(options)),
  )
  withCommonOptions(apiKey.command('list'))
    .description('list the keys (secrets are never shown)')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printApiKeys(options)),
    )
  withCommonOptions(apiKey.command('revoke'))
    .argument('<id>', 'id of the key, from the list')
    .description('revoke a key at once and stop the active runs that were started with it')
    .option('--keep-runs', 'do not stop its runs')
    .option('--reason <text>', 'reason, stored in the audit')
    .action((id: string, options: RevokeApiKeyOptions) =>
      withInstallation(async () => (await load()).endApiKey(id, options)),
    )
}

function expiryDays(text: string): number | 'never' {
  if (text === 'never') return text
  const days = /^(\d{1,4})d$/.exec(text)?.[1]
  if (days !== undefined && Number(days) >= 1 && Number(days) <= 3650) return Number(days)
  throw new InvalidArgumentError('Give days from 1d to 3650d, or never.')
}
