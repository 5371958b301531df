import { z } from 'zod'

/** Which time a page of usage covers; days and months are those of UTC, as in budgets. */
export const UsagePeriod = z.enum(['24h', '7d', 'this-month', 'last-month', '30d', '90d', '12m'])
export type UsagePeriod = z.infer<typeof UsagePeriod>

/** Dimensions by which usage is split. */
export const UsageSplit = z.enum([
  'model',
  'connection',
  'configuration',
  'user',
  'apiKey',
  'tool',
  'day',
])
export type UsageSplit = z.infer<typeof UsageSplit>

/** Measures that a chart of usage draws. */
export const UsageMeasure = z.enum(['cost', 'tokens', 'calls', 'runs', 'latency', 'errors'])
export type UsageMeasure = z.infer<typeof UsageMeasure>

/** The filter of records, beside their time. The ids may be those of deleted objects. */
export const UsageScope = z.object({
  user: z.uuid().optional(),
  configuration: z.uuid().optional(),
  model: z.uuid().optional(),
  connection: z.uuid().optional(),
  /** The requests of runs that were started with this key. */
  apiKey: z.uuid().optional(),
})
export type UsageScope = z.infer<typeof UsageScope>

export const UsageFilter = UsageScope.extend({
  period: UsagePeriod.default('30d'),
  by: UsageSplit.default('model'),
  measure: UsageMeasure.default('cost'),
})
export type UsageFilter = z.infer<typeof UsageFilter>
