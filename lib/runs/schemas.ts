import { z } from 'zod'
import { cleanText } from '@/lib/protocol/clean-text'
import { EndReason } from '@/lib/protocol/run-event'
import { sortOrder } from '@/lib/protocol/sort-order'

/** `tools`: null = every tool the gates allow, an empty list = none (SPEC G, gate 9). */
export const StartRunInput = z.object({
  configuration: z.string().trim().min(1, 'Pick a configuration.').max(100),
  prompt: z
    .string()
    .max(200_000, 'The prompt is longer than 200,000 characters. Shorten it.')
    .transform(cleanText)
    .refine((text) => text.trim() !== '', 'Write a prompt first.'),
  tools: z.array(z.string().min(1).max(200)).max(500).nullable().default(null),
  maxRounds: z.int('Rounds are a whole number.').nullable().default(null),
  idempotencyKey: z.string().min(1).max(200).nullable().default(null),
})
export type StartRunInput = z.infer<typeof StartRunInput>

/** What `runs.request` keeps: the wishes a run began with, after checks. */
export const RunRequest = z.object({ tools: z.array(z.string()).nullable(), maxRounds: z.int() })
export type RunRequest = z.infer<typeof RunRequest>

export const RunId = z.uuid()

const sortKeys = [
  'started',
  'configuration',
  'user',
  'rounds',
  'calls',
  'tokens',
  'cost',
  'duration',
] as const
export type RunSortKey = (typeof sortKeys)[number]
export const usualRunSort = '-started' as const

export const RunFilter = z.object({
  search: z.string().trim().max(200).optional(),
  status: z.enum(['queued', 'running', 'waiting', 'ended']).optional(),
  reason: EndReason.optional(),
  configuration: z.uuid().optional(),
  user: z.uuid().optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(50),
  sort: sortOrder(sortKeys, usualRunSort),
})
export type RunFilter = z.infer<typeof RunFilter>

/** One line of the runs list. Costs in micro-USD (null = unpriced), times as ISO text in UTC. */
export type RunRow = {
  runId: string
  status: 'queued' | 'running' | 'waiting' | 'ended'
  endReason: EndReason | null
  truncated: boolean
  prompt: string
  configurationName: string
  userEmail: string
  source: 'console' | 'api' | 'cli'
  rounds: number
  calls: number
  inputTokens: number
  outputTokens: number
  costMicroUsd: number | null
  createdAt: string
  endedAt: string | null
}
