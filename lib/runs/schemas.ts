import { z } from 'zod'
import { TaskValues } from '@/lib/domains/tasks/shared/task-form'
import { Moment } from '@/lib/kernel/moment'
import { CostBound, OwnCostCap } from '@/lib/protocol/cost/money'
import { FileDataClass, maxRunFiles } from '@/lib/protocol/files/given-files'
import { FailureCategory } from '@/lib/protocol/model/failure'
import { OutputSchema } from '@/lib/protocol/parameters/parameter-values'
import { CallOutcome, CallProblems } from '@/lib/protocol/run/call-facts'
import { EndReason } from '@/lib/protocol/run/run-event'
import { RunNote, RunTag } from '@/lib/protocol/run/run-marks'
import { RunOverrides } from '@/lib/protocol/run/run-overrides'
import { type Waiting, waitReasons } from '@/lib/protocol/run/waiting'
import { GateName } from '@/lib/protocol/tool'
import { maxPromptCharacters } from '@/lib/shape/field-shape'
import { sortOrder } from '@/lib/shape/resource'
import { cleanText } from '@/lib/words/clean-text'
import { isTimeZone } from '@/lib/words/time-zone'
import { Period } from '@/lib/words/zone-days'

/**
 * `tools`: null = every tool the gates allow, an empty list = none (SPEC G9). A run has its own prompt, or a
 * `task` with values for its `variables`; a task may supply the configuration, too.
 */
export const RunFields = z.object({
  configuration: z.string().trim().max(100).default(''),
  prompt: z
    .string()
    .max(maxPromptCharacters, 'The prompt is longer than 200,000 characters. Shorten it.')
    .transform(cleanText)
    .default(''),
  /** Id or identifier. */
  task: z.string().trim().min(1, 'Pick a task.').max(100).nullable().default(null),
  variables: TaskValues.transform(inOrder).default({}),
  /** A run of the caller that ended: this one is the next turn of its conversation (SPEC C1). */
  continues: z.uuid('Give the id of a run.').nullable().default(null),
  tools: z.array(z.string().min(1).max(200)).max(500).nullable().default(null),
  /**
   * Uploaded before. Without `dataClass`, the class of the upload counts, else the highest the configuration allows.
   */
  files: z
    .array(z.strictObject({ id: z.uuid(), dataClass: FileDataClass.optional() }))
    .max(maxRunFiles, `A run takes up to ${maxRunFiles} files.`)
    .refine(
      (files) => new Set(files.map(({ id }) => id)).size === files.length,
      'A file is attached twice. Attach it once.',
    )
    .default([]),
  maxRounds: z.int('Enter a whole number of rounds.').nullable().default(null),
  /** The cost cap of this run, beside the caps of its configuration and task (SPEC M4). */
  costCap: OwnCostCap.nullable().default(null),
  /**
   * The JSON Schema that this run's answer must fit, instead of its task's or configuration's; null = theirs (SPEC Q5).
   */
  outputSchema: OutputSchema.nullable().default(null),
  /** Overrides of the configuration for this run (SPEC C1a). */
  overrides: RunOverrides.nullable().default(null),
  /** A run of the caller that ended: this one is it with a change. */
  changedFrom: z.uuid('Give the id of a run.').nullable().default(null),
  idempotencyKey: z.string().min(1).max(200).nullable().default(null),
})

export const StartRunInput = RunFields.superRefine(checkSource)
export type StartRunInput = z.input<typeof StartRunInput>
export type CheckedRunInput = z.output<typeof StartRunInput>

/** Input of a dry run: that of a start, without what makes a start one and the same. */
export const DryRunInput = RunFields.omit({ idempotencyKey: true }).superRefine(checkSource)

type Source = { configuration: string; prompt: string; task: string | null; variables: TaskValues }

function checkSource(
  { configuration, prompt, task, variables }: Source,
  issues: z.RefinementCtx,
): void {
  const refuse = (field: keyof Source, message: string) =>
    issues.addIssue({ code: 'custom', path: [field], message })
  if (task === null) {
    if (configuration === '') refuse('configuration', 'Pick a configuration.')
    if (prompt.trim() === '') refuse('prompt', 'Enter a prompt first.')
    if (Object.keys(variables).length > 0)
      refuse('variables', 'Only tasks have variables. Leave this out.')
    return
  }
  if (prompt !== '') refuse('prompt', 'A task has its own prompt. Leave the prompt out.')
}

/** Returns the values in a fixed order, because the idempotency hash ignores the order. */
function inOrder(values: TaskValues): TaskValues {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Input that `runs.request` stores: the checked request of a run. `variables` are the values of its task's variables as
 * they were inserted into the prompt; none without a task.
 */
export const RunRequest = z.object({
  /** `model-test`: one request that tests whether a model calls tools. */
  kind: z.enum(['prompt', 'model-test']).default('prompt'),
  tools: z.array(z.string()).nullable(),
  maxRounds: z.int(),
  variables: z.record(z.string(), z.string()).default({}),
})
export type RunRequest = z.infer<typeof RunRequest>

export const RunId = z.uuid()
const RunStatus = z.enum(['queued', 'running', 'waiting', 'ended'])
/** Origin of a run; `run`: a call of another run started it; `try`: a tool was tried, on its page or elsewhere; `check`: a check was run. */
export const RunSource = z.enum(['console', 'api', 'cli', 'schedule', 'run', 'try', 'check'])

export const runSortKeys = [
  'started',
  'configuration',
  'user',
  'rounds',
  'calls',
  'tokens',
  'cost',
  'duration',
] as const
export type RunSortKey = (typeof runSortKeys)[number]
export const defaultRunSort = '-started' as const

const Figure = (most: number) => z.coerce.number().min(0).max(most).optional()
const mostUsd = 1_000_000
const mostSeconds = 100_000_000

/** The filter of the list, of its address, of the API, of the terminal and of exports. */
export const RunFilter = z.object({
  search: z.string().trim().max(200).optional(),
  status: RunStatus.optional(),
  reason: EndReason.optional(),
  configuration: z.uuid().optional(),
  user: z.uuid().optional(),
  task: z.uuid().optional(),
  /** The run was started with this key. */
  apiKey: z.uuid().optional(),
  /** The run asked this model or connection. */
  model: z.uuid().optional(),
  connection: z.uuid().optional(),
  /** One of its calls was of this tool, ended so, and was refused by this gate: all of it together. */
  tool: z.string().trim().max(200).optional(),
  outcome: CallOutcome.optional(),
  gate: GateName.optional(),
  /** The run failed, or one of its calls failed, was denied or timed out. */
  failure: z.literal('any').optional(),
  source: RunSource.optional(),
  /** It has this tag. */
  tag: RunTag.optional(),
  /** In US dollars, both ends included; an unpriced run fits none. */
  minCost: Figure(mostUsd),
  maxCost: Figure(mostUsd),
  /** Only runs that ended fit them. */
  minSeconds: Figure(mostSeconds),
  maxSeconds: Figure(mostSeconds),
  /** Started in the days of this period, which begin at midnight in `zone` (UTC without it). */
  period: Period.optional(),
  zone: z
    .string()
    .max(100)
    .refine(isTimeZone, 'There is no such time zone. Give a name such as Europe/Berlin.')
    .optional(),
  /** Started in this period: `from` is included, `to` is not. */
  from: Moment.optional(),
  to: Moment.optional(),
  /** Asked a model in this period, or called `tool` in it: what usage counts, whenever the run started. */
  usedFrom: Moment.optional(),
  usedTo: Moment.optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(50),
  /** The last run of the page before. With it, `page` does not count. Only for `started` and `-started`. */
  cursor: RunId.optional(),
  sort: sortOrder(runSortKeys, defaultRunSort),
})
export type RunFilter = z.infer<typeof RunFilter>

const WaitingField: z.ZodType<Waiting> = z.object({
  for: z.enum(waitReasons),
  place: z.number(),
  reason: z.string(),
})

/** One line of the runs list. Costs in micro-USD (null = unpriced), times as ISO text in UTC. */
export const RunRow = z.object({
  runId: z.string(),
  status: RunStatus,
  /** Queue position while it waits for a place to begin; null: it does not wait. */
  waiting: WaitingField.nullable(),
  endReason: EndReason.nullable(),
  truncated: z.boolean(),
  /** Refused before its first model request. */
  notStarted: z.boolean(),
  /** The failure of the provider that ended it; null = another reason. */
  failure: z
    .object({ category: FailureCategory, connectionId: z.string(), modelRecordId: z.string() })
    .nullable(),
  prompt: z.string(),
  /** null = it had none, or it was deleted. */
  configurationId: z.string().nullable(),
  configurationName: z.string(),
  /** null = it had its own prompt, or the task was deleted. */
  task: z.object({ id: z.string(), name: z.string() }).nullable(),
  userEmail: z.string(),
  userName: z.string(),
  /** The model that was asked last; null = none was. Its id is null when it was deleted. */
  model: z.object({ id: z.string().nullable(), name: z.string() }).nullable(),
  /** The connection that was asked last; null = none was, or it was deleted. */
  connection: z.object({ id: z.string(), name: z.string() }).nullable(),
  callTrouble: CallProblems,
  source: RunSource,
  rounds: z.number(),
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Part of the input that came from the provider's cache. */
  cachedInputTokens: z.number(),
  costMicroUsd: z.number().nullable(),
  costBound: CostBound,
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  /**
   * Time that it waited for decisions of people and for a place to begin, in ms: no work. Calls that still wait do not
   * count yet.
   */
  waitedForPeopleMs: z.number(),
  waitedForPlaceMs: z.number(),
  tags: z.array(z.string()),
  note: RunNote.nullable(),
})
export type RunRow = z.infer<typeof RunRow>
