import 'server-only'
import type { PolicyCase } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { policyCases } from './shape'

const { arguments: args, expects, gate } = policyCases.fields

/** Returns every case as it is stored, with what it names. */
export async function readCases(client: Tx) {
  return withNamed(client, await client.policyCase.findMany({ orderBy: { name: 'asc' } }))
}

/** Returns a case as it is stored, with what it names; null = there is none. */
export async function readCase(client: Tx, where: { id: string } | { name: string }) {
  const row = await client.policyCase.findUnique({ where })
  const [found = null] = row ? await withNamed(client, [row]) : []
  return found
}

/** Reads what cases name, one table after the other, because a transaction has one connection. */
async function withNamed(client: Tx, rows: readonly PolicyCase[]) {
  if (rows.length === 0) return []
  const idsOf = (idOf: (row: PolicyCase) => string | null) => ({
    where: { id: { in: rows.flatMap((row) => idOf(row) ?? []) } },
  })
  const configurations = byId(
    await client.configuration.findMany(idsOf(({ configurationId }) => configurationId)),
  )
  const people = byId(await client.user.findMany(idsOf(({ userId }) => userId)))
  const groups = byId(await client.group.findMany(idsOf(({ groupId }) => groupId)))
  const keys = byId(await client.apiKey.findMany(idsOf(({ apiKeyId }) => apiKeyId)))
  return rows.map((row) => ({
    ...row,
    arguments: args.schema.parse(row.arguments),
    expects: expects.schema.parse(row.expects),
    gate: gate.schema.parse(row.gate),
    configuration: configurations.get(row.configurationId ?? '') ?? null,
    person: people.get(row.userId ?? '') ?? null,
    personGroup: groups.get(row.groupId ?? '') ?? null,
    apiKey: keys.get(row.apiKeyId ?? '') ?? null,
  }))
}

function byId<T extends { id: string }>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [row.id, row]))
}
