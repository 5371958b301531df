import { createConnection } from '@/lib/connections/create-connection'
import { findConnection } from '@/lib/connections/find-connection'
import { listConnections } from '@/lib/connections/list-connections'
import type { CreateConnection } from '@/lib/connections/schemas'
import { setConnectionKey } from '@/lib/connections/set-connection-key'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'
import { readSecret } from './read-standard-input'

export type AddConnectionOptions = CommonOptions &
  Pick<CreateConnection, 'name' | 'wire' | 'trustZone'> & {
    baseUrl?: string
    organisation?: string
    keyStdin?: boolean
  }
export type SetKeyOptions = CommonOptions & { connection: string }

export async function printConnections(options: CommonOptions): Promise<void> {
  const connections = await listConnections(await actingCtx(options.as))
  if (options.json) return printJson(connections)
  printTable(
    ['NAME', 'WIRE', 'ADDRESS', 'TRUST ZONE', 'KEY', 'MODELS'],
    connections.map((connection) => [
      connection.name + (connection.enabled ? '' : ' (off)'),
      connection.wire,
      connection.baseUrl ?? 'its own',
      connection.trustZone,
      connection.key ? `…${connection.key.lastFour}` : 'none',
      String(connection.models),
    ]),
  )
}

export async function addConnection(options: AddConnectionOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { name, wire, trustZone, baseUrl = null, organisation = null } = options
  const apiKey = options.keyStdin ? await readSecret('the API key') : null
  const { id } = await createConnection(ctx, {
    name,
    wire,
    trustZone,
    baseUrl,
    organisation,
    apiKey,
  })
  if (options.json) return printJson({ id, name })
  printLine(`Added the connection ${name} (${id}).`)
}

/** Only the end of the key is ever shown again. */
export async function setKey(options: SetKeyOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConnection(ctx, options.connection)
  const { lastFour } = await setConnectionKey(ctx, id, await readSecret('the API key'))
  if (options.json) return printJson({ connectionId: id, lastFour })
  printLine(lastFour === '' ? 'The key is stored.' : `The key that ends in ${lastFour} is stored.`)
}
