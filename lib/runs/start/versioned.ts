import 'server-only'
import type { ToolDefinition } from '@/lib/engines/tools/define-tool'
import type { Tx } from '@/lib/kernel/db'
import { toolsByName } from '@/lib/toolset/tools/installed-tools'

/** A value that was read, and until when it holds, ms since 1970. */
type Held<T> = { value: T; until: number }

/**
 * Returns what `read` finds for a key: from memory as long as the policy has the version it was read at. The version is read
 * from `client`, so that work in a transaction needs no second connection.
 */
export type Versioned<T> = (
  key: string,
  version: string,
  read: () => Promise<Held<T>>,
  client: Tx,
) => Promise<T>

const mostEntries = 2_000

/** Opens a memory for values that change only with the version of the policy. */
export function openVersioned<T>(): Versioned<T> {
  const known = new Map<string, Held<T> & { version: string }>()
  return async (key, version, read, client) => {
    const found = known.get(key)
    if (found?.version === version && Date.now() < found.until) return found.value
    // Read first: a change in between makes this version too low, and the value is then read again.
    const before = await readPolicyVersion(client)
    const held = await read()
    if (known.size >= mostEntries) known.clear()
    known.set(key, { ...held, version: before })
    return held.value
  }
}

/** Returns the current version of the policy. No number stands for two policies, also not where the database went back in between. */
export async function readPolicyVersion(tx: Tx): Promise<string> {
  const [row] = await tx.$queryRaw<{ version: string }[]>`
    SELECT version::text AS version FROM policy_version`
  if (!row) throw new Error('The policy has no version.')
  return row.version
}

/** The tools of the installation, under one key. */
export type KnownTools = Versioned<ReadonlyMap<string, ToolDefinition>>

/** Returns the tools of the installation as they are at this version of the policy, or at a newer one. */
export function readTools(
  { tools }: { tools: KnownTools },
  version: string,
  client: Tx,
): Promise<ReadonlyMap<string, ToolDefinition>> {
  const read = async () => ({ value: await toolsByName(client), until: Number.POSITIVE_INFINITY })
  return tools('', version, read, client)
}
