import { type Command, Option } from 'commander'
import { FileDataClass } from '@/lib/protocol/run-file'
import { nameList, wholeNumber, withCommonOptions } from './common-options'
import { costCapOption } from './cost-cap-option'
import { outputSchemaOption } from './output-schema-option'

/** What every command takes that starts a run: its files, tools and limits. */
export function withRunOptions(command: Command): Command {
  return withCommonOptions(command)
    .option(
      '--file <path>',
      'attach an image, a PDF or a text (repeat it for more)',
      (path: string, before: string[] = []) => [...before, path],
    )
    .addOption(
      new Option(
        '--data-class <class>',
        'how sensitive the files are (default: the highest the configuration allows)',
      ).choices(FileDataClass.options),
    )
    .option('--tools <names>', 'offer only these tools, separated by commas', nameList)
    .option('--no-tools', 'offer no tools')
    .option('--max-rounds <number>', 'maximum rounds (1-50)', wholeNumber(1, 50))
    .option(
      '--cost-cap <usd>',
      'warn at this cost in US dollars; enforce:0.50 stops the run with a final answer',
      costCapOption,
    )
    .option(
      '--output-schema <schema>',
      'JSON Schema that the answer must fit: JSON text or a file',
      outputSchemaOption,
    )
}
