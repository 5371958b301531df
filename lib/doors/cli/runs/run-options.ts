import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  decimalNumber,
  nameList,
  wholeNumber,
  withCommonOptions,
} from '@/lib/doors/cli/input/common-options'
import { FileDataClass } from '@/lib/protocol/files/given-files'
import { mostRounds } from '@/lib/protocol/parameters/configuration-form'
import { ReasoningEffort } from '@/lib/protocol/parameters/parameter-values'
import { parseUsd } from '@/lib/words/format'

/** Adds the options of every command that starts a run: its files, tools and limits. */
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
    .option('--max-rounds <number>', `maximum rounds (1-${mostRounds})`, wholeNumber(1, mostRounds))
    .option(
      '--cost-cap <usd>',
      'warn at this cost in US dollars; enforce:0.50 stops the run with a final answer; off: none',
      runCapOption,
    )
    .option('--output-schema <schema>', 'JSON Schema that the answer must fit: JSON text or a file')
}

export type CostCapOption = { mode: 'warn' | 'enforce'; limitMicroUsd: number }

/** Parses a cost cap (SPEC M4). "0.50" or "warn:0.50" warns once; "enforce:0.50" ends the run with a final answer. */
export function costCapOption(text: string): CostCapOption {
  const [, mode = 'warn', figure = ''] = /^(?:(warn|enforce):)?(.*)$/s.exec(text) ?? []
  const limitMicroUsd = parseUsd(figure)
  if (limitMicroUsd === null || limitMicroUsd === 0) {
    throw new InvalidArgumentError(
      'Give US dollars with up to six decimals, such as 0.50 or enforce:0.50.',
    )
  }
  return { mode: mode === 'enforce' ? 'enforce' : 'warn', limitMicroUsd }
}

/** The cap of one run; `off` = none. */
export type RunCapOption = CostCapOption | { mode: 'off' }

function runCapOption(text: string): RunCapOption {
  return text === 'off' ? { mode: 'off' } : costCapOption(text)
}

/** Overrides of the configuration for a single run (SPEC C1a). */
export type ChangeOptions = {
  model?: string
  systemPromptFile?: string
  temperature?: number
  effort?: ReasoningEffort
  maxOutputTokens?: number
}

/** Adds the options that change a single run. */
export function withChangeOptions(command: Command): Command {
  return command
    .option(
      '--model <name>',
      'model instead of the configuration’s, as CONNECTION/MODEL; without its fallback models',
    )
    .option(
      '--system-prompt-file <path>',
      'file with the system prompt for this run; - reads standard input',
    )
    .option('--temperature <number>', 'temperature of this run', decimalNumber(0, 2))
    .addOption(
      new Option('--effort <effort>', 'reasoning effort of this run').choices(
        ReasoningEffort.options,
      ),
    )
    .option(
      '--max-output-tokens <number>',
      'max output tokens per answer of this run',
      wholeNumber(1, 10_000_000),
    )
}
