import { z } from 'zod'
import { JudgedAssertion } from '@/lib/protocol/check/assertion'
import { CheckMode, CheckVerdict } from '@/lib/protocol/check/check'

/** `configurations`: in place of that of the check, by id or identifier. */
export const RunCheck = z.object({
  id: z.string().trim().min(1).max(100).meta({ description: 'Id or name of the check.' }),
  mode: CheckMode.default('recorded'),
  configurations: z
    .array(z.string().trim().min(1).max(100))
    .min(1, 'Name a configuration, or leave this out.')
    .max(10, 'At most 10 configurations.')
    .optional()
    .meta({ description: 'Ids or identifiers of configurations in place of its own.' }),
  idempotencyKey: z.string().min(1).max(200).nullable().default(null),
})

/** `configurations`: in place of those of the checks. */
export const RunSuite = RunCheck.omit({ id: true }).extend({
  suite: z.string().trim().min(1).max(100).meta({ description: 'Name of the suite.' }),
})

/** A run of checks as lists show it. `verdict` null = it has not ended. Times are ISO text in UTC; cost in micro-USD, null = unpriced. */
export const CheckRunListing = z.object({
  id: z.string(),
  /** Name of the check or of the suite. */
  name: z.string(),
  isSuite: z.boolean(),
  mode: CheckMode,
  by: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  status: z.enum(['running', 'ended']),
  stoppedBy: z.string().nullable(),
  verdict: CheckVerdict.nullable(),
  passed: z.number(),
  failed: z.number(),
  notRun: z.number(),
  /** Tries without a verdict so far. */
  open: z.number(),
  costMicroUsd: z.number().nullable(),
})
export type CheckRunListing = z.output<typeof CheckRunListing>

/** One try of one check with one configuration. */
export const CheckResult = z.object({
  id: z.string(),
  checkId: z.string(),
  checkName: z.string(),
  configuration: z.object({
    id: z.string(),
    name: z.string(),
    /** Its version when the run began; null = it has not begun. */
    version: z.number().nullable(),
  }),
  try: z.number(),
  /** null = it has not begun. The run may be deleted by now. */
  runId: z.string().nullable(),
  verdict: CheckVerdict.nullable(),
  /** Why it did not run; "" = it did. */
  reason: z.string(),
  /** null = not judged. */
  judged: z.array(JudgedAssertion).nullable(),
  costMicroUsd: z.number().nullable(),
  durationMs: z.number().nullable(),
})
export type CheckResult = z.output<typeof CheckResult>

/** One check with one configuration: the verdict on its tries. */
const CheckSummary = z.object({
  checkId: z.string(),
  checkName: z.string(),
  configurationId: z.string(),
  configurationName: z.string(),
  verdict: CheckVerdict.nullable(),
  tries: z.number(),
  passed: z.number(),
  /** Number of tries that must pass. */
  passes: z.number(),
  /** Verdict in the run before it; null = it was not in it. */
  before: CheckVerdict.nullable(),
  /** Version of the configuration in this run and in the one before; null = it has not begun, or was not in it. */
  configurationVersion: z.number().nullable(),
  versionBefore: z.number().nullable(),
})

export const CheckRunDetail = CheckRunListing.extend({
  /** The run of the same check or suite before it that ended, which the caller may see; null = none. */
  previous: z.object({ id: z.string(), createdAt: z.string() }).nullable(),
  /** Ids of the configurations in place of those of the checks; none = theirs. */
  configurationIds: z.array(z.string()),
  checks: z.array(CheckSummary),
  results: z.array(CheckResult),
})
export type CheckRunDetail = z.output<typeof CheckRunDetail>

export const StoredJudged = z.array(JudgedAssertion)
