import { openSecret } from '@/lib/domains/vault/secrets'
import { requireStored } from '@/lib/edge/resource-reads'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { commandLineOf, parsePairs } from '@/lib/words/command-line'
import { servers } from './shape'

export const withStates = {
  tools: { select: { acceptedHash: true, seenHash: true, goneAt: true, unusable: true } },
} as const satisfies Prisma.ServerInclude
type Row = Prisma.ServerGetPayload<{ include: typeof withStates }>

export type StoredServer = ReturnType<typeof storedServer>

/** Returns a server as it is stored, with the values of its fields. */
export function storedServer({ command: words, tools, ...row }: Row) {
  const offered = tools.filter(({ goneAt }) => goneAt === null)
  // A new tool that can never be called waits for nobody. One that was accepted is missed.
  const waiting = offered.filter(({ unusable, acceptedHash }) => !unusable || acceptedHash !== null)
  return {
    ...row,
    words,
    command: words.length === 0 ? null : commandLineOf(words),
    toolCount: offered.length,
    toReview: waiting.filter(({ acceptedHash, seenHash }) => acceptedHash !== seenHash).length,
  }
}

export async function findServer(
  client: Tx,
  reference: { id: string } | { name: string },
): Promise<StoredServer | null> {
  const row = await client.server.findUnique({ where: reference, include: withStates })
  return row && storedServer(row)
}

/** Returns a server as it is stored, by its id or name. Throws NotFoundError. */
export const requireServer = requireStored(servers, findServer)

const separators = { headers: ':', variables: '=' } as const
export type PairKind = keyof typeof separators

/** Returns the names and values of lines that the shape accepted. */
export function pairsOf(kind: PairKind, lines: string | null | undefined): Record<string, string> {
  const pairs = lines ? parsePairs(lines, separators[kind]) : {}
  return typeof pairs === 'string' ? {} : pairs
}

/** Returns what a server gets of its headers or variables, by their names. */
export async function openPairs(
  client: Tx,
  kind: PairKind,
  secretId: string | null,
): Promise<Record<string, string>> {
  return secretId === null ? {} : pairsOf(kind, await openSecret(client, secretId))
}
