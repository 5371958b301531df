import { type Command, InvalidArgumentError, Option } from 'commander'
import { issueWords } from '@/lib/kernel/issue-words'
import { parseDecimal } from '@/lib/protocol/codecs'
import { ToolMode } from '@/lib/protocol/configuration-form'
import {
  OptionChanges,
  type OptionName,
  ReasoningEffort,
} from '@/lib/protocol/configuration-options'
import {
  type OptionDescriptor,
  optionDescriptors,
  readOption,
} from '@/lib/protocol/option-descriptors'
import { dollars, nameList, wholeNumber } from '../common-options'

/** What can be set of a configuration besides its names and its model. */
export function addFormOptions(command: Command): Command {
  for (const descriptor of optionDescriptors) addDescribed(command, descriptor)
  return command
    .option('--description <text>', 'purpose')
    .option('--system-prompt <text>', 'the system prompt; - reads it from standard input')
    .option(
      '--temperature <number>',
      '0-2; lower values give more predictable answers',
      orDefault(decimal),
    )
    .option('--top-p <number>', 'above 0, up to 1', orDefault(decimal))
    .option(
      '--max-output-tokens <number>',
      'maximum output tokens per answer',
      orDefault(wholeNumber(1, 10_000_000)),
    )
    .option('--stop <texts...>', 'up to 4 stop sequences, or none')
    .option(
      '--seed <number>',
      'a whole number, for reproducible answers',
      orDefault(wholeNumber(0, 2_147_483_647)),
    )
    .addOption(
      new Option(
        '--reasoning-effort <effort>',
        'how much the model reasons before it answers',
      ).choices([...ReasoningEffort.options, 'default']),
    )
    .addOption(
      new Option('--tool-mode <mode>', 'how the model calls tools (default: auto)').choices(
        ToolMode.options,
      ),
    )
    .option('--max-rounds <number>', 'maximum rounds of a run (default: 5)', wholeNumber(1, 50))
    .option('--time-limit <seconds>', 'time limit of a run (default: 600)', wholeNumber(1, 86_400))
    .option('--cost-cap <usd>', 'US dollars one run may cost, or none', orNone(dollars))
    .addOption(
      new Option(
        '--cost-cap-mode <mode>',
        'what happens when the cap is reached (default: warn)',
      ).choices(['off', 'warn', 'enforce']),
    )
    .option(
      '--fallbacks <models>',
      'fallback models in order, as CONNECTION/MODEL, or none',
      nameList,
    )
    .option(
      '--groups <names>',
      'groups whose members may use it (default: admins only), or none',
      nameList,
    )
    .option('--tool-groups <names>', 'allowed tool groups, or all or none', nameList)
}

/** One of the descriptor list. What is given of them is collected under `options`. */
function addDescribed(command: Command, { key, flag, label, control }: OptionDescriptor): void {
  const { values, words } = typedAs[control.type]
  const listed =
    'choices' in control ? `: ${control.choices.map(({ text }) => text).join(', ')}` : ''
  const option = new Option(`${flag} <${values}>`, `${label.toLowerCase()}${listed}${words}`)
  const given: OptionChanges = command.getOptionValue('options') ?? {}
  command.setOptionValueWithSource('options', given, 'implied')
  command.addOption(
    option.argParser((text) => {
      Object.assign(given, { [key]: checked(key, text) })
      return text
    }),
  )
}

const typedAs: Record<OptionDescriptor['control']['type'], { values: string; words: string }> = {
  choice: { values: 'choice', words: ', or default' },
  'tool-choice': { values: 'choice', words: ', tool:NAME, or default' },
  switch: { values: 'state', words: ': on or off' },
  text: { values: 'text', words: ', or default' },
  number: { values: 'number', words: ', or default' },
  list: { values: 'names', words: ', or none' },
  json: { values: 'json', words: ': a JSON object, or none' },
}

function checked(key: OptionName, text: string): unknown {
  const parsed = OptionChanges.shape[key].safeParse(readOption(key, text), { error: issueWords })
  if (parsed.success) return parsed.data
  throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? 'This value is not valid.')
}

function decimal(text: string): number {
  const number = parseDecimal(text)
  if (number !== null) return number
  throw new InvalidArgumentError('Give a number such as 0.75.')
}

/** `default` goes back to what the model does by itself. */
function orDefault(parse: (text: string) => number) {
  return (text: string) => (text === 'default' ? text : parse(text))
}

function orNone(parse: (text: string) => number) {
  return (text: string) => (text === 'none' ? text : parse(text))
}
