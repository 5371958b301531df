import { randomUUID } from 'node:crypto'
import type { Ctx } from '@/lib/kernel/context'
import { db } from './fixture-db'
import { addPerson } from './people'
import { addRunSite } from './run-site'

const dayMs = 86_400_000
export const now = new Date()
/** Ids that are referred to by usage only. A run has more than one of them when it fell back. */
const three = (): string[] => Array.from({ length: 3 }, () => randomUUID())
export const [models, connections] = [three(), three()]
export const people: string[] = []
export const apiKeys: string[] = []
export const site = { configurationId: '' }

/** Adds what the runs of `addRuns` have in common, and returns an admin. The first model is stored. */
export async function addUsageSite(): Promise<Ctx> {
  const { admin, configuration: identifier } = await addRunSite('http://127.0.0.1:9')
  people.push(admin.actor.userId, (await addPerson('member')).actor.userId)
  const found = await db().configuration.findFirstOrThrow({ where: { identifier } })
  site.configurationId = found.id
  models.splice(0, 1, found.modelId)
  for (const id of three()) {
    const [userId = ''] = people
    const secret = { prefix: 'tg_1', tokenHash: id, scopes: [] }
    await db().apiKey.create({ data: { id, userId, name: id, ...secret } })
    apiKeys.push(id)
  }
  return admin
}

/** Numbers between 0 and 1, the same in every run of the test. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
const random = numbers(20_261_123)
const below = (count: number) => Math.floor(random() * count)
const often = (share: number) => random() < share

export function record(runId: string, userId: string, at: number) {
  const failed = often(0.1)
  return {
    runId,
    userId,
    configurationId: often(0.9) ? site.configurationId : null,
    round: below(9),
    connectionId: often(0.9) ? (connections[below(3)] ?? null) : null,
    modelRecordId: often(0.9) ? (models[below(3)] ?? null) : null,
    modelId: `model ${below(3)}`,
    inputTokens: below(9_000),
    outputTokens: below(900),
    cachedInputTokens: below(90),
    cacheWriteTokens: below(9),
    reasoningTokens: below(9),
    estimated: often(0.1),
    costAtMost: often(0.1),
    retries: often(0.1) ? below(3) : 0,
    costMicroUsd: often(0.1) ? null : BigInt(below(3_000_000_000)) * 997n,
    reportedCostMicroUsd: often(0.2) ? BigInt(below(3_000)) : null,
    latencyMs: below(20_000),
    retried: failed && often(0.5),
    fallback: often(0.1),
    errorCategory: failed ? 'server' : null,
    at: new Date(at),
  }
}

export const tools = ['tool 0', 'tool 1', 'tool 2']
const outcomes = ['ok', 'ok', 'ok', 'failed', 'timed-out', 'unknown', 'denied', 'invalid-arguments']

export function call(runId: string, userId: string, configuration: string | null, at: number) {
  return {
    runId,
    userId,
    configurationId: configuration,
    callId: randomUUID() as string,
    toolName: tools[below(3)] ?? '',
    outcome: outcomes[below(outcomes.length)] ?? '',
    durationMs: below(20_000),
    at: new Date(at),
  }
}

/** Returns the time itself, or one at the edge of its month or day. */
function atEdge(time: number): number {
  const at = new Date(time)
  const month = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)
  const edges = [month, month - 1, Math.floor(time / dayMs) * dayMs]
  return often(0.2) ? (edges[below(edges.length)] ?? time) : time
}

/** Adds ended and active runs of the last two years; some go on past midnight, or to another model. */
export async function addRuns(count: number): Promise<void> {
  const runs = Array.from({ length: count }, () => {
    const [id, userId] = [randomUUID(), people[below(2)] ?? '']
    const apiKeyId = often(0.6) ? (apiKeys[below(3)] ?? null) : null
    const start = atEdge(now.getTime() - random() ** 3 * 730 * dayMs)
    const calls = Array.from({ length: 1 + below(4) }, (_, index) =>
      record(
        id,
        userId,
        Math.min(now.getTime() - 1, start + index * (often(0.1) ? dayMs : 60_000)),
      ),
    )
    // Most runs ask one model.
    const [first] = calls
    const requested = often(0.3)
      ? {}
      : {
          configurationId: first?.configurationId ?? null,
          connectionId: first?.connectionId ?? null,
          modelRecordId: first?.modelRecordId ?? null,
          modelId: first?.modelId ?? '',
        }
    const status = often(0.9) ? ('ended' as const) : ('waiting' as const)
    const created = { request: {}, prompt: 'p', createdAt: new Date(start) }
    const run = { id, userId, apiKeyId, status, ...created }
    return { run, calls: calls.map((call) => ({ ...call, ...requested })) }
  })
  await db().run.createMany({ data: runs.map(({ run }) => run) })
  await db().usageRecord.createMany({ data: runs.flatMap(({ calls }) => calls) })
  await db().callRecord.createMany({
    data: runs.flatMap(({ run: { id, userId }, calls }) =>
      calls.flatMap(({ configurationId: requests, at }) =>
        Array.from({ length: below(3) }, () => call(id, userId, requests, at.getTime())),
      ),
    ),
  })
}
