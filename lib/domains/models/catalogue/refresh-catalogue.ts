import { z } from 'zod'
import { ReasoningEffort } from '@/lib/protocol/parameters/parameter-values'
import { samplingParameters } from '@/lib/protocol/parameters/parameters'
import { parseUsd, usdText } from '@/lib/words/format'
import type { CatalogueFile } from './catalogue-file'

type Model = CatalogueFile['models'][number]

const Cost = z.object({
  input: z.number().optional(),
  output: z.number().optional(),
  cache_read: z.number().optional(),
  cache_write: z.number().optional(),
  reasoning: z.number().optional(),
})
type Cost = z.infer<typeof Cost>

/** A tier states its smallest prompt in one of several fields. */
const Tier = Cost.extend({
  tier: z.object({ type: z.string().optional(), size: z.number() }).optional(),
  context: z.object({ min: z.number() }).optional(),
})

const Listed = z.object({
  id: z.string(),
  name: z.string(),
  tool_call: z.boolean().optional(),
  structured_output: z.boolean().optional(),
  reasoning: z.boolean().optional(),
  temperature: z.boolean().optional(),
  reasoning_options: z
    .array(z.object({ type: z.string(), values: z.array(z.string()).optional() }))
    .optional(),
  modalities: z.object({ input: z.array(z.string()) }).optional(),
  limit: z.object({ context: z.number().optional(), output: z.number().optional() }).optional(),
  cost: Cost.extend({
    tiers: z.array(Tier).optional(),
    context_over_200k: Cost.optional(),
  }).optional(),
})
type Listed = z.infer<typeof Listed>

/** Shape of api.json at models.dev: providers by their id, with their models by id. */
export const ModelsDev = z.record(z.string(), z.object({ models: z.record(z.string(), Listed) }))
export type ModelsDev = z.infer<typeof ModelsDev>

const modelsDevSource = 'https://models.dev/api.json'

export type Refreshed = {
  file: CatalogueFile
  /** Changed fields, by the id of the model. */
  changes: { id: string; fields: string[] }[]
  /** Models of the catalogue that the list does not name. */
  missing: string[]
  /** Models with tool calling that the list names and the catalogue does not. */
  unknown: string[]
}

/**
 * Brings one file of the catalogue up to what models.dev says, with that as its source, read on that day. Aliases,
 * notes and what the list does not say stay. `add` names models that the catalogue takes in.
 */
export function refreshCatalogue(
  file: CatalogueFile,
  list: ModelsDev,
  { readOn, add }: { readOn: string; add: readonly string[] },
): Refreshed {
  const listed = new Map(Object.entries(list[file.modelsDev]?.models ?? {}))
  const found = (model: Model) =>
    [model.id, ...model.aliases].map((id) => listed.get(id)).find((each) => each !== undefined)
  const known = new Set(file.models.flatMap(({ id, aliases }) => [id, ...aliases]))
  const others = [...listed.values()].filter(({ id, tool_call }) => tool_call && !known.has(id))
  const added = others.filter(({ id }) => add.includes(id)).map((each) => newModel(each, readOn))
  const models = file.models.map((model) => {
    const said = found(model)
    // Entries that were read later than the list stay.
    return said && model.readOn <= readOn ? refreshed(model, said, readOn) : model
  })
  return {
    file: { ...file, models: [...models, ...added] },
    changes: [
      ...models.flatMap((model, index) => changed(file.models[index], model)),
      ...added.map(({ id }) => ({ id, fields: ['new'] })),
    ],
    missing: file.models.filter((model) => !found(model)).map(({ id }) => id),
    unknown: others.map(({ id }) => id).filter((id) => !add.includes(id)),
  }
}

function refreshed(model: Model, said: Listed, readOn: string): Model {
  const { limit, modalities, cost } = said
  return {
    ...model,
    contextTokens: limit?.context || model.contextTokens,
    maxOutputTokens: limit?.output || model.maxOutputTokens,
    toolCalling: toolCallingOf(said) ?? model.toolCalling,
    structuredOutput: said.structured_output ?? model.structuredOutput,
    vision: modalities ? modalities.input.includes('image') : model.vision,
    reasoning: said.reasoning ?? model.reasoning,
    reasoningEfforts: effortsOf(said) ?? model.reasoningEfforts,
    unsupportedParameters: withSampling(model.unsupportedParameters, said.temperature),
    usd: (cost && usdOf(cost)) ?? model.usd,
    longPrompts: cost ? longPromptsOf(cost) : model.longPrompts,
    sources: [modelsDevSource, ...model.sources.filter((source) => source !== modelsDevSource)],
    readOn,
  }
}

function newModel(said: Listed, readOn: string): Model {
  const nothing: Model = {
    id: said.id,
    name: said.name.slice(0, 100),
    aliases: [],
    contextTokens: null,
    maxOutputTokens: null,
    toolCalling: 'unconfirmed',
    structuredOutput: null,
    vision: null,
    reasoning: null,
    reasoningEfforts: [],
    unsupportedParameters: [],
    usd: null,
    longPrompts: null,
    note: null,
    sources: [],
    readOn,
  }
  return refreshed(nothing, said, readOn)
}

/** Returns whether the entry changed. A new reading date alone is no change. */
function changed(before: Model | undefined, after: Model): Refreshed['changes'] {
  if (!before) return []
  const fields = Object.keys(after).filter((name) => {
    const field = name as keyof Model
    const isReading = field === 'sources' || field === 'readOn'
    return !isReading && text(before[field]) !== text(after[field])
  })
  if (fields.length === 0) return []
  const words = fields.map((name) => {
    const field = name as keyof Model
    return `${field}: ${text(before[field])} -> ${text(after[field])}`
  })
  return [{ id: after.id, fields: words }]
}

/** Returns a figure as text, so that equal figures are equal however they are written. */
function text(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) => {
    if (key !== 'usd' || typeof part !== 'object' || part === null) return part
    const figures = Object.entries(part).map(
      ([name, usd]) => [name, parseUsd(String(usd))] as const,
    )
    const written = figures.map(([name, figure]) => [
      name,
      figure === null ? null : usdText(figure),
    ])
    return Object.fromEntries(written.toSorted())
  })
}

function toolCallingOf({ tool_call }: Listed): Model['toolCalling'] | undefined {
  if (tool_call === undefined) return undefined
  return tool_call ? 'confirmed' : 'unsupported'
}

/** Returns the efforts of a model, without those that Toolgate does not know. */
function effortsOf({ reasoning_options: options }: Listed): ReasoningEffort[] | undefined {
  const values = options?.find(({ type }) => type === 'effort')?.values
  return values && ReasoningEffort.options.filter((effort) => values.includes(effort))
}

/**
 * Returns the refused parameters. The list only says whether a model takes temperature; one that refuses it refuses the
 * other sampling parameters, too.
 */
function withSampling(
  refused: Model['unsupportedParameters'],
  takes: boolean | undefined,
): Model['unsupportedParameters'] {
  if (takes === undefined) return refused
  const others = refused.filter((name) => !samplingParameters.includes(name))
  return takes ? others : [...others, ...samplingParameters].toSorted()
}

/** Returns the prices; null where input or output has no price in whole micro-dollars. */
function usdOf(cost: Cost): NonNullable<Model['usd']> | null {
  const figures = {
    input: cost.input,
    output: cost.output,
    cachedInput: cost.cache_read,
    cacheWrite: cost.cache_write,
    reasoning: cost.reasoning,
  }
  const usd = Object.fromEntries(
    Object.entries(figures).flatMap(([name, figure]) => {
      const microUsd = figure === undefined ? null : parseUsd(String(figure))
      return microUsd === null ? [] : [[name, usdText(microUsd)] as const]
    }),
  )
  return 'input' in usd && 'output' in usd ? usd : null
}

function longPromptsOf(cost: NonNullable<Listed['cost']>): Model['longPrompts'] {
  const { tiers = [], context_over_200k: above } = cost
  const sized = tiers.flatMap((tier) => {
    const aboveTokens = tier.tier?.size ?? tier.context?.min
    return aboveTokens === undefined ? [] : [{ aboveTokens, usd: usdOf(tier) }]
  })
  const first = sized.toSorted((a, b) => a.aboveTokens - b.aboveTokens)[0]
  const tier = first ?? (above && { aboveTokens: 200_000, usd: usdOf(above) })
  return tier?.usd ? { aboveTokens: tier.aboveTokens, usd: tier.usd } : null
}

const lineWidth = 100

/** Returns the text of a catalogue file as the project's formatter writes it: short lists on one line. */
export function catalogueText(file: CatalogueFile): string {
  const list = /^( *)("\w+": )?\[\n((?: +"[^\n]*"(?:,\n|\n))+) *\](,?)$/gm
  return `${JSON.stringify(file, null, 2)}\n`.replace(
    list,
    (whole, indent: string, key = '', items: string, comma: string) => {
      const inline = items.trim().replace(/,\n +/g, ', ')
      const line = `${indent}${key}[${inline}]${comma}`
      return line.length <= lineWidth ? line : whole
    },
  )
}
