import 'server-only'
import { offeredName, type ReadDefinitions } from '@/lib/engines/mcp/definition'
import {
  type KnownEra,
  type ServerFacts,
  serverErrorWords,
} from '@/lib/engines/mcp/transport/server-address'
import { fewAtATime, takingTurns } from '@/lib/engines/mcp/turns'
import type { Prisma } from '@/lib/generated/prisma/client'
import { db, type PolicyTx, unaudited } from '@/lib/kernel/db'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { cleanText } from '@/lib/words/clean-text'
import { schemaProblem } from './checked-schemas'

export type FoundServer = { facts: ServerFacts; era: KnownEra; definitions: ReadDefinitions }

const why = 'a server changed its tools, and no person did'
const shownProblems = 20

/**
 * Stores what a server is and defines now. A new or changed definition decides nothing but that the tool is held back until
 * a person accepts it. Does nothing for a server that was deleted meanwhile.
 */
export async function storeFound(
  serverId: string,
  { facts, era, definitions }: FoundServer,
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
  // Asked without the policy lock, because nearly never anything is not as it was.
  const rows = await db().remoteTool.findMany({ where: { serverId }, select: known })
  if (!isChanged(rows, definitions)) return
  const tools = await judged(rows, definitions)
  const isWhole = definitions.incomplete === null
  await changePolicy((tx) => storeTools(unaudited(tx, why), serverId, { tools, isWhole }))
}

/** Stores that a server cannot be reached, and since when. */
export async function storeServerError(serverId: string, error: unknown): Promise<void> {
  const client = unaudited(db(), 'what became of a server')
  const data = { trouble: serverErrorWords(error), checkedAt: new Date() }
  await client.server.updateMany({ where: { id: serverId }, data })
  const where = { id: serverId, downSince: null }
  await client.server.updateMany({ where, data: { downSince: data.checkedAt } })
}

const known = { remoteName: true, seenHash: true, goneAt: true, unusable: true } as const
type Row = Prisma.RemoteToolGetPayload<{ select: typeof known }>

/** Returns whether anything is not as it was. */
function isChanged(rows: readonly Row[], { tools, incomplete }: ReadDefinitions): boolean {
  const hashes = new Map(tools.map(({ definition, hash }) => [definition.name, hash]))
  const isFound = ({ remoteName }: Row) => incomplete === null || hashes.has(remoteName)
  const there = rows.filter((row) => row.goneAt === null && isFound(row))
  const asBefore = there.every(({ remoteName, seenHash }) => hashes.get(remoteName) === seenHash)
  return !asBefore || there.length !== hashes.size
}

/** A definition as it is stored. `unusable`: its schemas cannot be checked. */
type Judged = {
  remoteName: string
  seen: Prisma.InputJsonObject
  seenHash: string
  unusable: boolean
}

/**
 * Maximum characters of new definitions that are checked in one reading. A server may send other definitions every ten
 * seconds.
 */
const mostJudged = 1024 * 1024

/**
 * Returns the definitions, each with whether its schemas cannot be checked. That is looked up for those that are as they
 * were. What is new beyond `mostJudged` counts as usable: it is judged once a person looks at it.
 */
async function judged(rows: readonly Row[], { tools }: ReadDefinitions): Promise<Judged[]> {
  const before = new Map(rows.map((row) => [row.remoteName, row]))
  const nextTurn = takingTurns()
  const all: Judged[] = []
  let left = mostJudged
  for (const { definition, hash: seenHash } of tools) {
    await nextTurn()
    const { name: remoteName } = definition
    const seen = asJson(definition)
    const row = before.get(remoteName)
    const isAsBefore = row?.seenHash === seenHash
    if (!isAsBefore) left -= JSON.stringify(seen).length
    const isRefused = () => left >= 0 && schemaProblem(definition) !== null
    all.push({ remoteName, seen, seenHash, unusable: isAsBefore ? row.unusable : isRefused() })
  }
  return all
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

async function storeTools(
  tx: PolicyTx,
  serverId: string,
  { tools, isWhole }: { tools: readonly Judged[]; isWhole: boolean },
): Promise<void> {
  const now = new Date()
  const server = await tx.server.findUnique({ where: { id: serverId }, select: { name: true } })
  if (!server) return
  const rows = await tx.remoteTool.findMany({ where: { serverId }, select: known })
  const before = new Map(rows.map((row) => [row.remoteName, row]))
  const names = await tx.remoteTool.findMany({ select: { name: true, alias: true } })
  const taken = new Set(names.flatMap(({ name, alias }) => [name, alias ?? name]))
  const fresh: Prisma.RemoteToolCreateManyInput[] = []
  const other: Judged[] = []
  for (const tool of tools) {
    const { remoteName, seenHash } = tool
    const row = before.get(remoteName)
    before.delete(remoteName)
    if (!row) {
      const name = offeredName(server.name, remoteName, taken)
      taken.add(name)
      fresh.push({ serverId, name, seenAt: now, ...tool })
    } else if (row.seenHash !== seenHash || row.goneAt !== null) other.push(tool)
  }
  for (const few of fewAtATime(other)) {
    await tx.$executeRaw`
      UPDATE remote_tools t SET seen = n.seen, "seenHash" = n."seenHash", unusable = n.unusable, "seenAt" = ${now},
        "goneAt" = NULL
      FROM jsonb_to_recordset(${JSON.stringify(few)}::jsonb)
        AS n("remoteName" text, seen jsonb, "seenHash" text, unusable boolean)
      WHERE t."serverId" = ${serverId}::uuid AND t."remoteName" = n."remoteName"`
  }
  for (const data of fewAtATime(fresh)) await tx.remoteTool.createMany({ data })
  // Of what a part of a list does not name, nothing is known.
  if (!isWhole) return
  const gone = [...before.values()].filter(({ goneAt }) => goneAt === null)
  await tx.remoteTool.updateMany({
    where: { serverId, remoteName: { in: gone.map(({ remoteName }) => remoteName) } },
    data: { goneAt: now },
  })
}
