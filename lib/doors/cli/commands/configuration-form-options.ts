import { type Command, InvalidArgumentError, Option } from 'commander'
import { issueWords } from '@/lib/kernel/parse-input'
import { ToolMode } from '@/lib/protocol/configuration-form'
import {
  type ConfigurationParameters,
  figureFault,
  type ParameterDescriptor,
  type ParameterName,
  parameterDescriptors,
  parameterSchemas,
  readParameter,
} from '@/lib/protocol/parameters'
import { dollars, nameList, wholeNumber } from '../common-options'

/** Adds the options for everything of a configuration but its names and its model. */
export function addFormOptions(command: Command): Command {
  for (const descriptor of parameterDescriptors) addDescribed(command, descriptor)
  return command
    .option('--description <text>', 'purpose')
    .option('--system-prompt <text>', 'the system prompt; - reads it from standard input')
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

/** Adds the option of one described parameter. The values are collected under `parameters`. */
function addDescribed(command: Command, descriptor: ParameterDescriptor): void {
  const { key, flag, label, hint, control } = descriptor
  const { values, words } = typedAs[control.type]
  const listed =
    'choices' in control ? `: ${control.choices.map(({ text }) => text).join(', ')}` : ''
  const range = control.type === 'number' ? `. ${hint}` : ''
  const option = new Option(
    `${flag} <${values}>`,
    `${label.toLowerCase()}${listed}${words}${range}`,
  )
  const given: Partial<ConfigurationParameters> = command.getOptionValue('parameters') ?? {}
  command.setOptionValueWithSource('parameters', given, 'implied')
  command.addOption(
    option.argParser((text: string, before: string[] = []) => {
      const texts = control.type === 'lines' ? [...before, text] : [text]
      Object.assign(given, { [key]: checked(key, control, texts) })
      return texts
    }),
  )
}

const typedAs: Record<ParameterDescriptor['control']['type'], { values: string; words: string }> = {
  choice: { values: 'choice', words: ', or default' },
  'tool-choice': { values: 'choice', words: ', tool:NAME, or default' },
  switch: { values: 'state', words: ': on or off' },
  text: { values: 'text', words: ', or default' },
  number: { values: 'number', words: ', or default' },
  list: { values: 'names', words: ', or none' },
  lines: { values: 'texts...', words: ', or none' },
  json: { values: 'json', words: ': a JSON object, or none' },
}

function checked(
  key: ParameterName,
  { type }: ParameterDescriptor['control'],
  texts: readonly string[],
): unknown {
  const [text = ''] = texts
  const fault = figureFault(key, text)
  if (fault !== null) throw new InvalidArgumentError(fault)
  const lines = texts.length === 1 && text === 'none' ? [] : texts
  const given = type === 'lines' ? lines : readParameter(key, text)
  const parsed = parameterSchemas[key].safeParse(given, { error: issueWords })
  if (parsed.success) return parsed.data
  throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? 'This value is not valid.')
}

function orNone(parse: (text: string) => number) {
  return (text: string) => (text === 'none' ? text : parse(text))
}
