import { z } from 'zod'
import { LimitNames, sorted } from '@/lib/domains/api-keys/shared/limit-names'
import { ReasonText } from '@/lib/domains/audit/shared/audit-reason'
import { ConfigurationPolicy } from '@/lib/domains/configurations/schemas'
import { configurationSchemas } from '@/lib/domains/configurations/shape'
import { KeyInFile, mostKeys } from '@/lib/domains/connections/key-schemas'
import { connectionSchemas } from '@/lib/domains/connections/shape'
import { Opening, openedTables } from '@/lib/domains/data-sources/shared/opened-table'
import { CreateModel, PricesInput, SetModelPrice } from '@/lib/domains/models/schemas'
import { modelSchemas } from '@/lib/domains/models/shape'
import { parseSkill, skillFileText } from '@/lib/domains/skills/skill-file'
import { ToolLimits } from '@/lib/domains/tool-settings/verbs'
import { ValidationError } from '@/lib/kernel/errors'
import { nouns } from '@/lib/nouns'
import { LongPrompt } from '@/lib/protocol/cost/money'
import { AfterUntrusted } from '@/lib/protocol/flow'
import { type NounKey, nounsBeside } from '@/lib/protocol/nouns'
import { parameterSchemas } from '@/lib/protocol/parameters/parameters'
import { RuleCondition } from '@/lib/protocol/rule-condition'
import { keyField } from '@/lib/shape/resource'
import { entrySchema, entrySchemasOf, SwitchedNames, Usd } from './resource-entries'

/** The version that is written. In version 1, `wire: openai` was Chat Completions. */
export const siteFileVersion = 2

const enabled = z.boolean('Give true or false.')

const price = SetModelPrice.shape
const Moment = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), 'Write a time such as 2026-11-22T00:00:00Z.')
  .transform((text) => new Date(text).toISOString())
  .pipe(price.validFrom.unwrap().unwrap())

/** A connection without its secrets, which never stand in a file. */
const ConnectionEntry = z.strictObject({
  ...connectionSchemas,
  /** For a zone that its public address contradicts: the host's name, and why it is trusted (SPEC A8). */
  trustZoneConfirmed: z
    .strictObject({ host: z.string().min(1), reason: z.string().min(1).max(500) })
    .nullable(),
  /** Settings of further keys; the keys themselves never stand in a file. */
  keys: z.array(KeyInFile).max(mostKeys),
  enabled,
})

const ModelName = z.strictObject({ connection: z.string(), model: z.string() })

const priceUsd = Usd.pipe(PricesInput.shape.input.unwrap()).nullable().default(null)
const PriceEntry = z
  .strictObject({
    validFrom: Moment,
    inputUsd: priceUsd,
    outputUsd: priceUsd,
    cachedInputUsd: priceUsd,
    cacheWriteUsd: priceUsd,
    reasoningUsd: priceUsd,
    longPrompt: LongPrompt.nullable().default(null),
    source: price.source,
  })
  .refine(
    ({ validFrom: _, source: __, longPrompt: ___, ...prices }) =>
      Object.values(prices).some((figure) => figure !== null),
    'Give at least one price; 0 means free.',
  )

const Prices = z
  .array(PriceEntry)
  .max(200)
  .refine((prices) => areDistinct(prices.map(({ validFrom }) => validFrom)), {
    message: 'Give only one price per moment.',
  })

const ModelEntry = z.strictObject({
  connection: z.string(),
  model: CreateModel.shape.modelId,
  ...modelSchemas,
  enabled,
  prices: Prices,
})

const Fallbacks = z
  .array(ModelName)
  .max(5, 'At most 5 fallback models.')
  .refine((models) => areDistinct(models.map((each) => JSON.stringify(each))), {
    message: 'Name each model once.',
  })

/** In the order in which what is stored is read, so that files that say the same are the same. */
const GroupNames = z
  .array(z.string())
  .max(200)
  .transform((names) => [...new Set(names)].toSorted())

const configuration = configurationSchemas
/** Each parameter stands beside the other fields, so that a file may say one of them and leave the others. */
const ConfigurationEntry = z.strictObject({
  identifier: configuration.identifier,
  name: configuration.name,
  description: configuration.description,
  model: ModelName,
  fallbacks: Fallbacks,
  systemPrompt: configuration.systemPrompt,
  ...parameterSchemas,
  toolMode: configuration.toolMode,
  maxRounds: configuration.maxRounds,
  timeLimitMs: configuration.timeLimitMs,
  costCapUsd: Usd.pipe(configuration.costCapMicroUsd.unwrap()).nullable(),
  costCapMode: configuration.costCapMode,
  allowedToolGroups: configuration.allowedToolGroups,
  allowedTools: configuration.allowedTools,
  allowedOverrides: configuration.allowedOverrides,
  raisedDataClass: ConfigurationPolicy.shape.raisedDataClass.unwrap(),
  fourEyes: z.boolean(),
  afterUntrusted: AfterUntrusted,
  memoryInPrompt: z.boolean(),
  enabled,
  groups: GroupNames,
  skills: SwitchedNames,
})

function areDistinct(values: readonly string[]): boolean {
  return new Set(values).size === values.length
}

/** Returns whether two files have the same content, however it is quoted. */
function sameText(text: string, issues: z.RefinementCtx): string {
  try {
    return skillFileText(parseSkill(Buffer.from(text)))
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    issues.addIssue({ code: 'custom', message: error.message })
    return z.NEVER
  }
}

/** `file` is the text of its SKILL.md. Skills of the folder stay in the folder. */
const SkillEntry = z.strictObject({
  name: z.string(),
  file: z.string().transform(sameText),
  enabled,
})

const ToolEntry = z.strictObject({ name: z.string(), enabled, reason: ReasonText })
const ToolApprovalEntry = z.strictObject({
  name: z.string(),
  asks: z.boolean(),
  reason: ReasonText,
})
const ToolGroupEntry = z.strictObject({ name: z.string(), enabled, reason: ReasonText })
const ToolLimitEntry = z.strictObject({
  name: z.string(),
  perMinute: ToolLimits.shape.perMinute.unwrap(),
  perRun: ToolLimits.shape.perRun.unwrap(),
})

/** Limits for the members of a group, in the order in which they are stored. */
const Limits = LimitNames.unwrap().transform(sorted)
/** A group of people without its members, and with what these are limited to. */
const GroupEntry = entrySchema(nouns.groups.resource).extend({ tools: Limits, toolGroups: Limits })

const { groupsOnly: _, ...tableFields } = entrySchema(openedTables).shape
const { schema, name, columns } = Opening.shape
/** An opened table. `groups`: of members, only those of these may read it; null = all who may use the data source. */
const TableEntry = z.strictObject({
  schema: schema.default('public'),
  name,
  ...z.object(tableFields).partial().shape,
  columns,
  groups: GroupNames.nullable().optional(),
})
const Tables = z
  .array(TableEntry)
  .max(500, 'At most 500 tables.')
  .refine((tables) => areDistinct(tables.map(({ schema, name }) => `${schema}.${name}`)), {
    message: 'Name each table once.',
  })

/** Conditions as the site has them: one that is not loose does not say so. */
const Conditions = z
  .array(
    RuleCondition.transform(
      ({ loose, ...rest }): z.output<typeof RuleCondition> => (loose ? { ...rest, loose } : rest),
    ),
  )
  .max(10, 'At most 10 conditions.')

/** Limits are of one installation, so a file does not have them. */
type SiteNoun = Exclude<NounKey, 'budgets'>

const [first, last] = [
  ['groups', 'tasks', 'schedules', 'channels'],
  ['programs', 'storages', 'servers', 'workspaces', 'sites', 'approvalRules', 'policyCases'],
] as const satisfies SiteNoun[][]
const others = nounsBeside([...first, ...last, 'budgets']) as SiteNoun[]

/**
 * The described nouns of a file, in its order. Each names only objects of kinds that stand before it. A noun that does not say where
 * it stands is among the resources of tools.
 */
export const siteResources = Object.fromEntries(
  [...first, ...others, ...last].map((key) => [key, nouns[key].resource]),
  // Object.fromEntries loses the keys.
) as unknown as { readonly [K in SiteNoun]: (typeof nouns)[K]['resource'] }

/** The kinds of resources without the groups, which a file has at its beginning. */
export const laterResources = listKinds(siteResources).filter((kind) => kind !== 'groups')

/** The whole of what each kind may say; keys of entries are those that tell one from the other. */
export const entrySchemas = {
  ...entrySchemasOf(siteResources),
  groups: GroupEntry,
  dataSources: entrySchema(nouns.dataSources.resource).extend({ tables: Tables }),
  approvalRules: entrySchema(nouns.approvalRules.resource).extend({ conditions: Conditions }),
  connections: ConnectionEntry,
  models: ModelEntry,
  skills: SkillEntry,
  configurations: ConfigurationEntry,
  tools: ToolEntry,
  toolApprovals: ToolApprovalEntry,
  toolLimits: ToolLimitEntry,
  toolGroups: ToolGroupEntry,
} as const

export type Kind = keyof typeof entrySchemas

/** Returns kinds in their order. The compiler refuses a list that leaves one out, and names it. */
export function everyKind<const L extends readonly Kind[]>(
  kinds: L & (Exclude<Kind, L[number]> extends never ? unknown : Exclude<Kind, L[number]>),
): L {
  return kinds
}

export type EntryOf<K extends Kind> = z.output<(typeof entrySchemas)[K]>

type ResourceKeys = {
  [K in keyof typeof siteResources]: 'identifier' extends keyof (typeof siteResources)[K]['fields']
    ? { identifier: true }
    : { name: true }
}

const resourceKeys = Object.fromEntries(
  listKinds(siteResources).map((kind) => [
    kind,
    { [keyField(siteResources[kind].fields) ?? 'name']: true },
  ]),
  // Object.fromEntries loses the kinds.
) as unknown as ResourceKeys

/** The keys of an entry of each kind. */
export const keys = {
  ...resourceKeys,
  connections: { name: true },
  models: { connection: true, model: true },
  skills: { name: true, file: true },
  configurations: { identifier: true },
  tools: { name: true, enabled: true },
  toolApprovals: { name: true, asks: true },
  toolLimits: { name: true },
  toolGroups: { name: true, enabled: true },
} as const satisfies Record<Kind, object>

/** Required fields of an entry; fields that are left out stay as they are, or take the default value when it is new. */
export type GivenOf<K extends Kind> = Partial<EntryOf<K>> & {
  [F in keyof (typeof keys)[K] & keyof EntryOf<K>]: EntryOf<K>[F]
}

export type SiteFile = { [K in Kind]: GivenOf<K>[] }

/** A file as it is written, and the version of the format. */
export type WrittenFile = SiteFile & { version: 1 | typeof siteFileVersion }

/** Everything of this installation that a file can say. */
export type SiteState = { [K in Kind]: ReadonlyMap<string, EntryOf<K>> }

/** Returns the kinds that a record is about, in its order. */
export function listKinds<K extends string>(of: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(of) as K[]
}
