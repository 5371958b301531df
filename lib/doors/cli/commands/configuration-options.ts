import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ConfigurationChanges, ModelChoice } from '@/lib/domains/configurations/schemas'
import { dollars, nameList, usd, wholeNumber } from '@/lib/doors/cli/input/common-options'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { issueWords } from '@/lib/kernel/parse-input'
import { mostRounds, ToolMode } from '@/lib/protocol/parameters/configuration-form'
import {
  type ConfigurationParameters,
  figureFault,
  inGroups,
  type ParameterDescriptor,
  type ParameterName,
  parameterDescriptors,
  parameterSchemas,
  readParameter,
} from '@/lib/protocol/parameters/parameters'
import { OverrideName } from '@/lib/protocol/run/override-names'

export const named = { '<name>': 'identifier or id of the configuration' }

/** A model, and what describes it if it is new. Prices are micro-USD for a million tokens; null = unknown. */
export type ModelOptions = {
  connection: string
  model: string
  displayName?: string
  contextTokens?: number
  toolCalling?: 'confirmed' | 'unconfirmed' | 'unsupported'
  inputPrice?: number | null
  outputPrice?: number | null
  cachedInputPrice?: number | null
  cacheWritePrice?: number | null
  reasoningPrice?: number | null
}
/** Options of the command line; `none` empties a value. Time is in seconds. */
export type ConfigurationOptions = {
  name?: string
  description?: string
  systemPrompt?: string
  toolMode?: 'auto' | 'native' | 'prompted'
  maxRounds?: number
  timeLimit?: number
  /** Micro-USD. */
  costCap?: number | 'none'
  costCapMode?: 'off' | 'warn' | 'enforce'
  fallbacks?: string[]
  groups?: string[]
  toolGroups?: string[]
  tools?: string[]
  memberChanges?: OverrideName[]
  /** As they are stored. */
  parameters?: Partial<ConfigurationParameters>
}

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
    .option(
      '--max-rounds <number>',
      'maximum rounds of a run (default: 5)',
      wholeNumber(1, mostRounds),
    )
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
    .option('--tools <names>', 'allowed single tools beside those groups, or none', nameList)
    .option(
      '--member-changes <names>',
      `what members may change for a single run (${OverrideName.options.join(', ')}), or none`,
      overrideList,
    )
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

const maxSystemPromptBytes = 400_000

async function promptFromInput(): Promise<string> {
  const { readStandardInput } = await import('@/lib/doors/cli/input/read-input')
  return readStandardInput(maxSystemPromptBytes)
}

/** Returns the options as the verbs take them. Options that were not given are left out. */
export async function formOf(ctx: Ctx, options: ConfigurationOptions) {
  const { systemPrompt, costCap, timeLimit, toolGroups, tools, fallbacks, groups } = options
  const given = {
    name: options.name,
    description: options.description,
    systemPrompt: systemPrompt === '-' ? await promptFromInput() : systemPrompt,
    ...inGroups(options.parameters ?? {}),
    toolMode: options.toolMode,
    maxRounds: options.maxRounds,
    timeLimitMs: timeLimit && Math.round(timeLimit * 1000),
    costCapMicroUsd: costCap === 'none' ? null : costCap,
    costCapMode: options.costCapMode,
    allowedToolGroups: toolGroups && groupsOf(toolGroups),
    allowedTools: tools && withoutNone(tools),
    allowedOverrides: options.memberChanges,
    fallbackModelIds:
      fallbacks && (await idsOf(withoutNone(fallbacks), (name) => findModelChoice(ctx, name))),
    groupIds: groups && (await idsOf(withoutNone(groups), await groupFinder(ctx))),
  } satisfies ConfigurationChanges
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<Given<typeof given>>
}

/** Without `undefined`, which `Object.fromEntries` took out and the compiler cannot see. */
type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Parses `none`, or names of what a single run may change. */
function overrideList(text: string): OverrideName[] {
  return withoutNone(nameList(text)).map((name) => {
    const { success, data } = OverrideName.safeParse(name)
    if (success) return data
    throw new InvalidArgumentError(`Give none, or some of ${OverrideName.options.join(', ')}.`)
  })
}

/** Parses `all`, `none`, or names. */
export function groupsOf(names: string[]): string[] | null {
  return names.length === 1 && names[0] === 'all' ? null : withoutNone(names)
}

/** Parses `none`, or names. */
export function withoutNone(names: string[]): string[] {
  return names.length === 1 && names[0] === 'none' ? [] : names
}

async function idsOf(
  names: readonly string[],
  find: (name: string) => Promise<{ id: string }>,
): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) ids.push((await find(name)).id)
  return ids
}

async function groupFinder(ctx: Ctx) {
  const { findGroup } = await import('@/lib/domains/groups/reads')
  return (name: string) => findGroup(ctx, name)
}

/**
 * Returns the model named CONNECTION/MODEL, or by its model id alone where only one connection has it, or by the id of
 * its row.
 */
export async function findModelChoice(ctx: Ctx, name: string): Promise<ModelChoice> {
  const { listModelChoices } = await import('@/lib/domains/configurations/reads')
  const models = await listModelChoices(ctx)
  const wanted = name.trim()
  const exact = models.find(
    ({ id, connectionName, modelId }) => id === wanted || `${connectionName}/${modelId}` === wanted,
  )
  if (exact) return exact
  const [found, ...others] = models.filter(({ modelId }) => modelId === wanted)
  if (!found) throw new NotFoundError(`The model ${wanted.slice(0, 200)}`)
  if (others.length === 0) return found
  const all = [found, ...others].map(({ connectionName }) => `${connectionName}/${wanted}`)
  throw new ConflictError(`Several connections have this model. Give one of: ${all.join(', ')}.`)
}

/** Adds options that describe the model of a new configuration. */
export function addModelOptions(made: Command): Command {
  return made
    .option('--display-name <name>', 'name of the model (default: its id)')
    .option('--context-tokens <number>', 'context window of the model', wholeNumber(1, 100_000_000))
    .addOption(
      new Option('--tool-calling <state>', 'whether the model can call tools').choices([
        'confirmed',
        'unconfirmed',
        'unsupported',
      ]),
    )
    .option('--input-price <usd>', 'US dollars per million input tokens', usd)
    .option('--output-price <usd>', 'US dollars per million output tokens', usd)
    .option('--cached-input-price <usd>', 'US dollars per million cached input tokens', usd)
    .option('--cache-write-price <usd>', 'US dollars per million tokens written to the cache', usd)
    .option(
      '--reasoning-price <usd>',
      'US dollars per million reasoning tokens (default: output price)',
      usd,
    )
}

/** Returns the id of the model. Throws ConflictError for a description of one that is there. */
export async function findOrCreateModel(ctx: Ctx, options: ModelOptions): Promise<string> {
  const { findConnection } = await import('@/lib/domains/connections/reads')
  const { listModels } = await import('@/lib/domains/models/reads')
  const { createModel } = await import('@/lib/domains/models/verbs')
  const connection = await findConnection(ctx, options.connection)
  const known = (await listModels(ctx, {})).find(
    (model) => model.connectionId === connection.id && model.modelId === options.model.trim(),
  )
  const { model, displayName, contextTokens, toolCalling } = options
  const prices = pricesOf(options)
  if (!known) {
    const facts = { displayName: displayName ?? model.slice(0, 100), contextTokens, toolCalling }
    const added = { connectionId: connection.id, modelId: model, ...facts, prices }
    return (await createModel(ctx, added)).id
  }
  const isDescribed =
    [displayName, contextTokens, toolCalling].some((given) => given !== undefined) ||
    Object.values(prices).some((price) => price !== null)
  if (!isDescribed) return known.id
  throw new ConflictError(
    'This connection already has that model. Leave out the options that describe it (--display-name, --context-tokens, --tool-calling, prices).',
  )
}

function pricesOf(options: ModelOptions) {
  return {
    input: options.inputPrice ?? null,
    output: options.outputPrice ?? null,
    cachedInput: options.cachedInputPrice ?? null,
    cacheWrite: options.cacheWritePrice ?? null,
    reasoning: options.reasoningPrice ?? null,
  }
}
