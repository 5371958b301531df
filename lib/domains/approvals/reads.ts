import { z } from 'zod'
import type { ApprovalRule, RuleCount } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { ArgumentCondition, RuleAction } from '@/lib/protocol/approval'

/** Returns every rule as it is stored, with what it names. */
export async function readRules(client: Tx) {
  return withNamed(client, await client.approvalRule.findMany())
}

/** Returns a rule as it is stored, with what it names; null = there is none. */
export async function readRule(client: Tx, where: { id: string } | { name: string }) {
  const row = await client.approvalRule.findUnique({ where })
  const [rule = null] = row ? await withNamed(client, [row]) : []
  return rule
}

/** Reads what rules name, one table after the other, because a transaction has one connection. */
async function withNamed(client: Tx, rows: readonly ApprovalRule[]) {
  const among = (idOf: (row: ApprovalRule) => string | null) => ({
    id: { in: rows.flatMap((row) => idOf(row) ?? []) },
  })
  const named = { id: true, name: true } as const
  const configurations = byId(
    await client.configuration.findMany({
      where: among(({ configurationId }) => configurationId),
      select: named,
    }),
  )
  const people = byId(
    await client.user.findMany({
      where: among(({ userId }) => userId),
      select: { id: true, email: true, deletedAt: true },
    }),
  )
  const groups = byId(
    await client.group.findMany({ where: among(({ groupId }) => groupId), select: named }),
  )
  const keys = byId(
    await client.apiKey.findMany({
      where: among(({ apiKeyId }) => apiKeyId),
      select: { ...named, prefix: true, revokedAt: true },
    }),
  )
  const counts = await client.ruleCount.findMany({
    where: { ruleId: { in: rows.flatMap(({ id, action }) => (action === 'observe' ? id : [])) } },
  })
  const observed = new Map(counts.map((count) => [count.ruleId, count]))
  return rows.map((row) => ({
    ...row,
    configuration: configurations.get(row.configurationId ?? '') ?? null,
    person: people.get(row.userId ?? '') ?? null,
    personGroup: groups.get(row.groupId ?? '') ?? null,
    apiKey: keys.get(row.apiKeyId ?? '') ?? null,
    action: RuleAction.parse(row.action),
    observed: row.action === 'observe' ? observedBy(observed.get(row.id)) : null,
    conditions: z.array(ArgumentCondition).parse(row.conditions),
  }))
}

function observedBy(count: RuleCount | undefined) {
  return { calls: Number(count?.calls ?? 0), lastAt: count?.lastAt.toISOString() ?? null }
}

function byId<T extends { id: string }>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [row.id, row]))
}
