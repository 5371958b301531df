import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import { JournalLostError } from '@/lib/engines/runtime/deps'
import type { Ctx } from '@/lib/kernel/context'
import { database, type Tx } from '@/lib/kernel/db'
import { describeError } from '@/lib/kernel/describe-error'
import { AppError } from '@/lib/kernel/errors'
import { CostCap } from '@/lib/protocol/cost/money'
import { SentRequest } from '@/lib/protocol/model/sent-request'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RoundNote } from '@/lib/protocol/run/round-view'
import { runningEngine } from '@/lib/runs/engine/engine'
import { describeSent } from '@/lib/runs/read-sent-request'
import { DryRunInput } from '@/lib/runs/schemas'
import type { Planned } from '@/lib/runs/start/insert-run'
import { planRun } from '@/lib/runs/start/plan-run'
import { sizeOf } from '@/lib/runs/start/reserve-for-run'
import { withoutMemory } from '@/lib/runs/start/start-run'
import { sharing } from '@/lib/runs/work/key-pool'
import { explainTool, toVerdictLines, VerdictLine } from '@/lib/toolset/policy/explain-tools'
import { type FirstRequest, findFirstRequest } from './first-request'

/** `code`: that of the error of a start, or the reason for which the run would end. */
const Refusal = z.object({
  code: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.string()).meta({ description: 'Sentences by field, if any.' }),
})

const AskedModel = z.object({
  modelId: z.string(),
  connection: z.string(),
  isUsed: z.boolean().meta({ description: 'The request goes to it.' }),
  skipped: z.string().nullable().meta({ description: 'Why it is passed over; null = it is not.' }),
})

const Cost = z.object({
  mostInputTokens: z.number(),
  mostOutputTokens: z.number(),
  mostMicroUsd: z.number().nullable().meta({ description: 'Null = the model has no price.' }),
})

/** A refused start has nothing but its `refusal`; a run that would end before its first request has no `request`. */
export const DryRun = z.object({
  refusal: Refusal.nullable().meta({ description: 'Null = the request would be sent.' }),
  models: z.array(AskedModel).meta({ description: 'The model and its fallback chain.' }),
  offered: z.array(z.string()).meta({ description: 'Names of the tools that are offered.' }),
  inputTokens: z.number().nullable().meta({ description: 'Estimated; null = nothing is sent.' }),
  cost: Cost.nullable().meta({ description: 'Worst case of the first request.' }),
  costCaps: z.array(CostCap).meta({ description: 'Caps of the whole run.' }),
  tools: z.array(VerdictLine).meta({ description: 'Every tool, gate by gate.' }),
  warnings: z.array(z.string()),
  request: SentRequest.nullable(),
})
export type DryRun = z.output<typeof DryRun>

const nothing: DryRun = {
  refusal: null,
  models: [],
  offered: [],
  inputTokens: null,
  cost: null,
  costCaps: [],
  tools: [],
  warnings: [],
  request: null,
}

/** A refusal is an answer here, so nothing of it is audited. Throws when something cannot be read. */
export const dryRun = verb({
  name: 'run.dry-run',
  role: 'member',
  scope: 'runs:write',
  // The request shows prompts, notes and earlier turns; the answer shows each tool gate by gate, as GET /explain does.
  moreScopes: ['runs:read', 'tools:read'],
  summary:
    'Returns the first model request of a run as it would be sent, what it may cost, and what would refuse it. Nothing is sent, called or stored.',
  input: DryRunInput,
  output: DryRun,
  transaction: false,
  run: async ({ ctx }, input) => {
    const context = runningEngine() ?? withoutMemory(database())
    const { client } = context.database
    const plan = planRun(context, ctx, { ...input, idempotencyKey: null }, client)
    const planned = await plan.catch(refusalOf)
    if ('message' in planned) return { ...nothing, refusal: planned }
    const first = await findFirstRequest(context, planned).catch(throwCause)
    return toDryRun(ctx, client, planned, first)
  },
})

/** Returns what a start says to its caller. Throws what is no refusal. */
function refusalOf(error: unknown): z.output<typeof Refusal> {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  const { code, message, fields = {} } = describeError(error, 'run')
  return { code, message, fields }
}

function throwCause(error: unknown): never {
  throw error instanceof JournalLostError ? (error.cause ?? error) : error
}

async function toDryRun(
  ctx: Ctx,
  client: Tx,
  { snapshot }: Planned,
  { state, sent, tools, subject }: FirstRequest,
): Promise<DryRun> {
  const round = sent ? state.rounds.at(-1) : undefined
  const notes = [...state.notes, ...(round?.notes ?? [])]
  const explained = [...tools.values()].map((tool) => ({
    name: tool.name,
    ...explainTool(tool, subject, { withConfiguration: true }),
  }))
  return {
    refusal: state.end && { code: state.end.reason, message: state.end.message, fields: {} },
    models: snapshot.targets.map(({ modelId, connectionName }, index) => ({
      modelId,
      connection: connectionName,
      isUsed: round?.target === index,
      skipped: whySkipped(notes, index),
    })),
    offered: round?.offered ?? [],
    inputTokens: round?.contextTokens ?? null,
    cost: sent && costOf(sent.target, round?.worst),
    costCaps: snapshot.costCaps,
    tools: toVerdictLines(explained),
    warnings: notes.flatMap((note) => (note.type === 'warning' ? [note.data.message] : [])),
    request: sent && (await asSent(ctx, client, sent)),
  }
}

function whySkipped(notes: readonly RoundNote[], index: number): string | null {
  const note = notes.find(({ type, data }) => type === 'fallback' && data.from === index)
  return note?.type === 'fallback' ? note.data.failure.advice : null
}

type Sent = NonNullable<FirstRequest['sent']>

function costOf(
  target: Sent['target'],
  worst: RunState['rounds'][number]['worst'],
): DryRun['cost'] {
  if (!worst) return null
  const { inputTokens: mostInputTokens, outputTokens: mostOutputTokens } = worst
  return { mostInputTokens, mostOutputTokens, mostMicroUsd: sizeOf(target, worst).costMicroUsd }
}

/**
 * Returns the request as it goes to the provider. With a pool of keys, earlier answers go in their portable form, because a
 * new run does not know which key gave them.
 */
async function asSent(ctx: Ctx, client: Tx, { target, request }: Sent): Promise<SentRequest> {
  const { pooled } = await client.connection.findUniqueOrThrow({
    where: { id: target.connectionId },
    select: { pooled: true },
  })
  const shared = pooled ? sharing(request, () => false) : request
  return describeSent(ctx, { target, request: shared, notes: [] })
}
