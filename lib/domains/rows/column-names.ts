import type { Wire as WireColumn, TrustZone as ZoneColumn } from '@/lib/generated/prisma/enums'
import type { Provider, TrustZone } from '@/lib/protocol/model/model-target'
import type { Wire } from '@/lib/protocol/parameters/parameter-values'

export type { Wire }

// Enum values of the database client cannot hold a hyphen; everything else uses the values of lib/protocol.
const wires: Record<WireColumn, Wire> = {
  openai: 'openai',
  anthropic: 'anthropic',
  ollama: 'ollama',
  openai_compatible: 'openai-compatible',
  azure_openai: 'azure-openai',
  bedrock: 'bedrock',
  gemini: 'gemini',
  demo: 'demo',
}
const zones: Record<ZoneColumn, TrustZone> = {
  local: 'local',
  private: 'private',
  external_eu: 'external-eu',
  external_global: 'external-global',
}
const wireColumns: Record<Wire, WireColumn> = {
  openai: 'openai',
  anthropic: 'anthropic',
  ollama: 'ollama',
  'openai-compatible': 'openai_compatible',
  'azure-openai': 'azure_openai',
  bedrock: 'bedrock',
  gemini: 'gemini',
  demo: 'demo',
}
const zoneColumns: Record<TrustZone, ZoneColumn> = {
  local: 'local',
  private: 'private',
  'external-eu': 'external_eu',
  'external-global': 'external_global',
}

export const wireOf = (column: WireColumn): Wire => wires[column]

type Columns = { wire: WireColumn; trustZone: ZoneColumn }
type Facts = { wire: Wire; trustZone: TrustZone }

/** Returns the API type and the trust zone of a stored connection. */
export function wireAndZone({ wire, trustZone }: Columns): Facts {
  return { trustZone: zones[trustZone], wire: wireOf(wire) }
}

/** Returns the columns of these two. */
export function wireAndZoneColumns({ wire, trustZone }: Facts): Columns {
  return { wire: wireColumns[wire], trustZone: zoneColumns[trustZone] }
}

/** Returns the facts of a connection that a chain of models shows. */
export function providerOf({ name, ...columns }: Columns & { name: string }): Provider {
  return { connectionName: name, ...wireAndZone(columns) }
}
