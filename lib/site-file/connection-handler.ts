import { createConnection } from '../connections/create-connection'
import { findConnection } from '../connections/find-connection'
import { listConnections } from '../connections/list-connections'
import { setConnectionEnabled } from '../connections/set-connection-enabled'
import { updateConnection } from '../connections/update-connection'
import { ValidationError } from '../errors'
import type { Handler } from './handler'
import { pick } from './pick'

const facts = [
  'wire',
  'baseUrl',
  'organisation',
  'trustZone',
  'privateAddressAllowed',
  'connectTimeoutMs',
  'firstByteTimeoutMs',
  'idleTimeoutMs',
  'maxTries',
] as const

/** Connections without their key and headers, which never leave the vault. */
export const connectionHandler: Handler<'connections'> = {
  read: async (ctx) =>
    (await listConnections(ctx)).map((row) => ({
      name: row.name,
      ...pick(row, facts),
      enabled: row.enabled,
    })),
  create: async (ctx, { enabled: _, wire, trustZone, ...given }) => {
    if (!wire || !trustZone) {
      throw new ValidationError({ wire: 'A new connection needs its wire and its trustZone.' })
    }
    await createConnection(ctx, { ...given, wire, trustZone })
  },
  finish: async (ctx, { name, enabled }, reason) => {
    if (enabled !== false) return
    await setConnectionEnabled(ctx, (await findConnection(ctx, name)).id, { enabled, reason })
  },
  update: async (ctx, { given, changed }, reason) => {
    const { id } = await findConnection(ctx, given.name)
    const wanted = pick(
      given,
      facts.filter((field) => changed.has(field)),
    )
    if (Object.keys(wanted).length > 0) await updateConnection(ctx, id, { ...wanted, reason })
    if (given.enabled !== undefined && changed.has('enabled')) {
      await setConnectionEnabled(ctx, id, { enabled: given.enabled, reason })
    }
  },
}
