import { z } from 'zod'
import { Assertions } from '@/lib/protocol/check/assertion'
import { CheckRecording, CheckVerdict } from '@/lib/protocol/check/check'
import { OwnCostCap } from '@/lib/protocol/cost/money'
import { FileDataClass } from '@/lib/protocol/files/given-files'
import { JsonObject } from '@/lib/protocol/parameters/parameter-values'
import { ToolSource } from '@/lib/protocol/run/fork'
import { RunOverrides } from '@/lib/protocol/run/run-overrides'
import { OutcomeType } from '@/lib/protocol/tool'
import { maxPromptCharacters } from '@/lib/shape/field-shape'
import { Name } from '@/lib/shape/identifier'
import { sortOrder } from '@/lib/shape/resource'
import { cleanText } from '@/lib/words/clean-text'

export const checkLimits = { checks: 500, tries: 20, characters: 16 * 1024 * 1024 } as const

const Tries = z
  .int('Enter a whole number.')
  .min(1, 'At least 1.')
  .max(checkLimits.tries, `At most ${checkLimits.tries} tries.`)

export const CheckSources = z
  .record(z.string().min(1).max(200), ToolSource)
  .refine((sources) => Object.keys(sources).length <= 500, 'At most 500 tools.')

const groups = z
  .array(z.string().trim().min(1).max(100))
  .max(100, 'At most 100 groups.')
  .meta({ description: 'Ids or names of groups whose members may see and run the check.' })

/** Names of suites, sorted. */
const Suites = z
  .array(Name)
  .max(20, 'At most 20 suites.')
  .transform((names) => [...new Set(names)].toSorted())

/** Fields of a check that people write. */
export const CheckFields = z.object({
  name: Name.refine(
    (name) => !z.uuid().safeParse(name).success,
    'This has the form of an id. Pick a name that people can read.',
  ),
  description: z
    .string()
    .transform(cleanText)
    .pipe(z.string().max(1_000, 'At most 1,000 characters.')),
  assertions: Assertions,
  tries: Tries,
  passes: Tries.meta({ description: 'So many of the tries must pass.' }),
  sources: CheckSources.meta({
    description: 'By tool: where its results come from, unless it is the recordings.',
  }),
  groups,
  suites: Suites.meta({
    description: 'Names of the suites that it is in. A new name is a new suite.',
  }),
})

/** A field that is left out stays as it is. `version`: the one that the change is based on. */
export const UpdateCheck = CheckFields.partial().extend({
  id: z.string().max(100),
  version: z.int().optional(),
  prompt: z
    .string()
    .max(maxPromptCharacters, 'The prompt is longer than 200,000 characters. Shorten it.')
    .transform(cleanText)
    .refine((text) => text.trim() !== '', 'Enter a prompt.')
    .optional(),
  configuration: z.string().trim().min(1).max(100).optional().meta({
    description: 'Id or identifier of another configuration.',
  }),
})

export const WhichCheck = z.object({
  id: z.string().trim().min(1).max(100).meta({ description: 'Id or name.' }),
})

const checkSortKeys = ['name', 'configuration', 'changed'] as const
export type CheckSortKey = (typeof checkSortKeys)[number]

export const CheckFilter = z.object({
  search: z.string().trim().max(200).optional(),
  configuration: z.uuid().optional(),
  suite: z.string().trim().max(100).optional(),
  state: z.enum(['red']).optional().meta({
    description: '`red`: the newest run did not pass.',
  }),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(50),
  sort: sortOrder(checkSortKeys, 'name').default('name'),
})
export type CheckFilter = z.output<typeof CheckFilter>

/** Configuration or group by its name; the id is null when it was deleted. */
const NamedConfiguration = z.object({ id: z.string().nullable(), name: z.string() })

/** A check as lists show it. Times are ISO text in UTC. */
export const CheckListing = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  configuration: NamedConfiguration,
  assertionCount: z.number(),
  tries: z.number(),
  passes: z.number(),
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
  suites: z.array(z.string()),
  /** The caller may change and delete it. */
  mayEdit: z.boolean(),
  createdByLabel: z.string(),
  version: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The newest run of it that the caller may see; `verdict` null = it has not ended. */
  last: z
    .object({ checkRunId: z.string(), verdict: CheckVerdict.nullable(), at: z.string() })
    .nullable(),
})
export type CheckListing = z.output<typeof CheckListing>

/** A recorded call, without the text of its result. */
const RecordedCall = z.object({
  tool: z.string(),
  argumentsText: z.string(),
  outcome: OutcomeType,
  /** Characters of the result; null = it has none. */
  characters: z.number().nullable(),
})

export const CheckDetail = CheckListing.omit({ last: true }).extend({
  /** The run that it was saved from, which may be deleted by now; null = it came with a file. */
  runId: z.string().nullable(),
  prompt: z.string(),
  files: z.array(z.object({ id: z.string(), name: z.string(), dataClass: FileDataClass })),
  /** null = all that the gates allow. */
  tools: z.array(z.string()).nullable(),
  /** null = as the configuration says. */
  maxRounds: z.number().nullable(),
  overrides: RunOverrides.nullable(),
  outputSchema: JsonObject.nullable(),
  costCap: OwnCostCap.nullable(),
  task: z.object({ id: z.string(), name: z.string() }).nullable(),
  sources: CheckSources,
  recordings: z.array(RecordedCall),
  /** Sentences about what could not be copied. */
  leftOut: z.array(z.string()),
  assertions: Assertions,
})
export type CheckDetail = z.output<typeof CheckDetail>

export const StoredRecordings = z.array(CheckRecording)
