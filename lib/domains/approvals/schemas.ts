import { z } from 'zod'
import { sortOrder } from '@/lib/shape/resource'
import { nameTwice, twiceWords } from '@/lib/words/json-text'

const message = z.string().trim().max(2_000, 'A message has at most 2,000 characters.').default('')

/**
 * A decision on one call that waits. `argumentsHash` names the arguments the person saw: an answer to others is stale.
 * `message` reaches the model when denied and is a remark otherwise; `argumentsText` is JSON to run with instead.
 */
export const DecideApproval = z.object({
  approvalId: z.string(),
  argumentsHash: z.string().regex(/^[0-9a-f]{64}$/, 'The hash must have 64 hexadecimal digits.'),
  decision: z.discriminatedUnion('type', [
    z.object({ type: z.literal('approve'), message }),
    z.object({
      type: z.literal('edit'),
      argumentsText: z
        .string()
        .max(262_144, 'Arguments have at most 262,144 characters.')
        .superRefine((text, issues) => {
          const name = nameTwice(text)
          if (name !== null) issues.addIssue({ code: 'custom', message: twiceWords(name) })
        }),
      message,
    }),
    z.object({ type: z.literal('deny'), message }),
  ]),
})
export type DecideApproval = z.input<typeof DecideApproval>

/** The result of a call that waited; `void` = its run ended first. */
export const approvalDecisions = ['approved', 'edited', 'denied', 'expired', 'void'] as const

const decidedSortKeys = ['call', 'rule', 'run-by', 'decided-by', 'decided'] as const
export type DecidedSortKey = (typeof decidedSortKeys)[number]
export const defaultDecidedSort = '-decided' as const
export const DecidedSort = sortOrder(decidedSortKeys, defaultDecidedSort)
export type DecidedSort = z.output<typeof DecidedSort>

/**
 * `search` matches tool, rule, prompt and the e-mail address of the run's owner; `decision` filters decided ones. `who` =
 * `me`: those that wait and that the caller may approve or deny.
 */
export const ApprovalFilter = z.object({
  status: z.enum(['pending', 'decided', 'all']).default('pending'),
  decision: z.enum(approvalDecisions).optional(),
  who: z.enum(['me']).optional(),
  search: z.string().trim().max(200).optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(25),
})
export type ApprovalFilter = z.output<typeof ApprovalFilter>
