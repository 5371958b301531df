import { randomUUID } from 'node:crypto'
import type { Ctx } from '@/lib/kernel/context'
import type { EndReason } from '@/lib/protocol/run/run-event'
import { db } from './fixture-db'

type Member = { name: string; began: Date; ended: Date; cost: number; endReason?: EndReason }

/** Adds a panel of members that ended, without journals. Costs in micro-USD. Returns its id. */
export async function addPanel({ actor }: Ctx, members: readonly Member[]): Promise<string> {
  const { userId } = actor
  const [id, prompt] = [randomUUID(), 'Who is who?']
  const runs = members.map(({ began, ended, cost, endReason = 'completed' }, panelPlace) => ({
    id: randomUUID() as string,
    userId,
    panelPlace,
    endReason,
    prompt,
    request: {},
    status: 'ended' as const,
    costMicroUsd: BigInt(cost),
    createdAt: began,
    endedAt: ended,
    durationMs: ended.getTime() - began.getTime(),
  }))
  const start = {
    members: members.map(({ name }, place) => ({
      name,
      configurationId: null,
      runId: runs[place]?.id,
      refusal: null,
    })),
    tools: [],
    hops: 2,
    costCap: null,
    memberCostCap: null,
  }
  const createdAt = members[0]?.began ?? new Date()
  await db().panel.create({
    data: {
      id,
      userId,
      prompt,
      start,
      source: 'console',
      createdAt,
      runs: { createMany: { data: runs } },
    },
  })
  return id
}
