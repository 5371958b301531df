import type { Tx } from '../../kernel/db'

/** `primary` = the configuration's own model is of this connection; false = it only falls back on it. */
export type ConfigurationUser = {
  id: string
  name: string
  enabled: boolean
  primary: boolean
}

export type ConnectionUsers = {
  models: { id: string; modelId: string; displayName: string; enabled: boolean }[]
  configurations: ConfigurationUser[]
}

/** What stops working without this connection: its models, and the configurations that use one of them, by name. */
export async function connectionUsers(tx: Tx, connectionId: string): Promise<ConnectionUsers> {
  const models = await tx.model.findMany({
    where: { connectionId },
    select: { id: true, modelId: true, displayName: true, enabled: true },
    orderBy: [{ displayName: 'asc' }, { id: 'asc' }],
  })
  const rows = await tx.configuration.findMany({
    where: {
      OR: [{ model: { connectionId } }, { fallbacks: { some: { model: { connectionId } } } }],
    },
    select: { id: true, name: true, enabled: true, model: { select: { connectionId: true } } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
  const configurations = rows.map(({ model, ...configuration }) => ({
    ...configuration,
    primary: model.connectionId === connectionId,
  }))
  return { models, configurations }
}
