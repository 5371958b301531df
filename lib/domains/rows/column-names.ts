import type { Wire as WireColumn, TrustZone as ZoneColumn } from '../../generated/prisma/enums'
import type { TrustZone } from '../../protocol/model-target'
import type { Wire } from '../../protocol/parameter-values'

export type { TrustZone, Wire }

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
export const trustZoneOf = (column: ZoneColumn): TrustZone => zones[column]
export const wireColumn = (wire: Wire): WireColumn => wireColumns[wire]
export const trustZoneColumn = (zone: TrustZone): ZoneColumn => zoneColumns[zone]

type Provider = { name: string; wire: WireColumn; trustZone: ZoneColumn }

/** Returns the facts of a connection that a chain of models shows. */
export function providerOf({ name, wire, trustZone }: Provider) {
  return { connectionName: name, trustZone: trustZoneOf(trustZone), wire: wireOf(wire) }
}
