import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { offeredName, type ReadDefinitions } from '@/lib/engines/mcp/definition'
import type { KnownEra, ServerFacts } from '@/lib/engines/mcp/server-address'
import { troubleWords } from '@/lib/engines/mcp/server-pool'
import type { Prisma } from '@/lib/generated/prisma/client'
import { db, type PolicyTx, unaudited } from '@/lib/kernel/db'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { cleanText } from '@/lib/protocol/clean-text'
import { checkedSchemas } from './checked-schemas'

export type Found = { facts: ServerFacts; era: KnownEra; definitions: ReadDefinitions }

const why = 'a server changed its tools, and no person did'
const shownProblems = 20

/**
 * Stores what a server is and defines now. A new or changed definition decides nothing but that the tool is held back until
 * a person accepts it. Does nothing for a server that was deleted meanwhile.
 */
export async function storeFound(
  serverId: string,
  { facts, era, definitions }: Found,
): Promise<void> {
  const now = new Date()
  const { name: saidName, version: saidVersion, protocol } = facts
  const { count } = await unaudited(db(), 'what a server says about itself').server.updateMany({
    where: { id: serverId },
    data: {
      saidName,
      saidVersion,
      protocol,
      ...knownAs(era, now),
      checkedAt: now,
      downSince: null,
      trouble: '',
      problems: definitions.problems.slice(0, shownProblems),
    },
  })
  if (count === 0) return
  const tools = await judged(definitions)
  if (await isChanged(serverId, tools))
    await changePolicy((tx) => storeTools(unaudited(tx, why), serverId, tools))
}

/** Stores that a server cannot be reached, and since when. */
export async function storeTrouble(serverId: string, error: unknown): Promise<void> {
  const client = unaudited(db(), 'what became of a server')
  const data = { trouble: troubleWords(error), checkedAt: new Date() }
  await client.server.updateMany({ where: { id: serverId }, data })
  const where = { id: serverId, downSince: null }
  await client.server.updateMany({ where, data: { downSince: data.checkedAt } })
}

type Judged = ReadDefinitions['tools'][number] & { unusable: boolean }

/** Returns the definitions, each with whether its schemas cannot be checked. */
async function judged({ tools }: ReadDefinitions): Promise<Judged[]> {
  const all: Judged[] = []
  for (const [place, tool] of tools.entries()) {
    // Reading a thousand schemas takes seconds, and others wait.
    if (place % 20 === 19) await setImmediate()
    all.push({ ...tool, unusable: checkedSchemas(tool.hash, tool.definition).problem !== null })
  }
  return all
}

const known = { remoteName: true, seenHash: true, goneAt: true, unusable: true } as const

/** Returns whether anything is not as it was. Asked without the policy lock, because it nearly never is. */
async function isChanged(serverId: string, tools: readonly Judged[]): Promise<boolean> {
  const rows = await db().remoteTool.findMany({ where: { serverId }, select: known })
  const now = new Map(tools.map((tool) => [tool.definition.name, tool]))
  const asBefore = rows.every((row) => {
    const tool = now.get(row.remoteName)
    return row.goneAt === null ? tool !== undefined && isAsSeen(row, tool) : tool === undefined
  })
  return !asBefore || rows.filter(({ goneAt }) => goneAt === null).length !== now.size
}

function isAsSeen(
  row: { seenHash: string; unusable: boolean },
  { hash, unusable }: Judged,
): boolean {
  return row.seenHash === hash && row.unusable === unusable
}

/** Returns a value as the database takes it, without what is undefined or cannot be stored. */
function asJson(value: unknown): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify(value), (_name, inner) =>
    typeof inner === 'string' ? cleanText(inner) : inner,
  )
}

const longestEra = 64 * 1024

/** Returns what is kept of an era. What a server says about its use is nothing that is needed to connect to it again. */
function knownAs(era: KnownEra, now: Date) {
  const { instructions: _, ...discover } = era.type === 'modern' ? era.discover : {}
  const kept = era.type === 'modern' ? { type: era.type, discover } : era
  return JSON.stringify(kept).length > longestEra ? {} : { era: asJson(kept), eraAt: now }
}

async function storeTools(tx: PolicyTx, serverId: string, tools: readonly Judged[]): Promise<void> {
  const now = new Date()
  const server = await tx.server.findUnique({ where: { id: serverId }, select: { name: true } })
  if (!server) return
  const rows = await tx.remoteTool.findMany({ where: { serverId }, select: known })
  const before = new Map(rows.map((row) => [row.remoteName, row]))
  const names = await tx.remoteTool.findMany({ select: { name: true, alias: true } })
  const taken = new Set(names.flatMap(({ name, alias }) => [name, alias ?? name]))
  const fresh: Prisma.RemoteToolCreateManyInput[] = []
  const other: { remoteName: string; seen: unknown; seenHash: string; unusable: boolean }[] = []
  for (const tool of tools) {
    const { definition, hash, unusable } = tool
    const { name: remoteName } = definition
    const row = before.get(remoteName)
    before.delete(remoteName)
    const seen = asJson(definition)
    if (!row) {
      const name = offeredName(server.name, remoteName, taken)
      taken.add(name)
      fresh.push({ serverId, remoteName, name, seen, seenHash: hash, seenAt: now, unusable })
    } else if (!isAsSeen(row, tool) || row.goneAt !== null) {
      other.push({ remoteName, seen, seenHash: hash, unusable })
    }
  }
  await tx.$executeRaw`
    UPDATE remote_tools t SET seen = n.seen, "seenHash" = n."seenHash", unusable = n.unusable, "seenAt" = ${now},
      "goneAt" = NULL
    FROM jsonb_to_recordset(${JSON.stringify(other)}::jsonb)
      AS n("remoteName" text, seen jsonb, "seenHash" text, unusable boolean)
    WHERE t."serverId" = ${serverId}::uuid AND t."remoteName" = n."remoteName"`
  await tx.remoteTool.createMany({ data: fresh })
  const gone = [...before.values()].filter(({ goneAt }) => goneAt === null)
  await tx.remoteTool.updateMany({
    where: { serverId, remoteName: { in: gone.map(({ remoteName }) => remoteName) } },
    data: { goneAt: now },
  })
}
