import { type Command, Option } from 'commander'
import { ModelTarget } from '@/lib/protocol/run-event'
import { type CommonOptions, withCommonOptions } from '../common-options'
import type { AddConnectionOptions } from '../connection-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../connection-verbs')

const example = `
Example:
  toolgate connection add --name OpenAI --wire openai --trust-zone external-global --key-stdin < key.txt`

export function addConnectionCommands(program: Command): void {
  const connection = program.command('connection').description('providers and where they are')
  withCommonOptions(connection.command('list'))
    .description('list the stored providers')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printConnections(options)),
    )
  const add = connection
    .command('add')
    .description('store a provider')
    .requiredOption('--name <name>', 'what people call it')
    .addOption(
      new Option('--wire <wire>', 'the protocol it speaks')
        .choices(ModelTarget.shape.wire.options)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--trust-zone <zone>',
        'where prompts go; recorded, and shown with each configuration and run',
      )
        .choices(ModelTarget.shape.trustZone.options)
        .makeOptionMandatory(),
    )
    .option('--base-url <url>', "its address (default: the wire's own public address)")
    .option('--organisation <id>', 'organisation to bill, where the provider knows such')
    .option('--key-stdin', 'read its API key from standard input')
  withCommonOptions(add)
    .addHelpText('after', example)
    .action((options: AddConnectionOptions) =>
      withInstallation(async () => (await load()).addConnection(options)),
    )
}
