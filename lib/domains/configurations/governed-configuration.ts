import { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client'
import { ModelParameters } from '../../protocol/parameters'
import { DataClass } from '../../protocol/tool'
import { type TrustZone, trustZoneOf, type Wire, wireOf } from '../rows/column-names'
import { storedFault } from './require-chain'

/** One model of the chain and where what it is sent goes. Disabled connections are passed over by runs. */
export type ChainLink = {
  connectionName: string
  trustZone: TrustZone
  wire: Wire
  modelId: string
  modelName: string
  enabled: boolean
}

/** A configuration for whoever governs it: what it is, who may use it, and what its runs may be offered. */
export type GovernedConfiguration = {
  id: string
  identifier: string
  name: string
  description: string
  enabled: boolean
  /** The model first, then its fallbacks in order. */
  chain: ChainLink[]
  systemPrompt: string
  parameters: ModelParameters
  maxRounds: number
  timeLimitMs: number
  /** null = every tool group. */
  allowedToolGroups: string[] | null
  /** null = what the least trusted zone of the chain says. */
  raisedDataClass: DataClass | null
  fourEyes: boolean
  /** Groups whose members may use it, by name. */
  groups: { id: string; name: string }[]
  /** How many skills are attached, in force or not. */
  skills: number
  /** Why no run can start with it until somebody edits it; null = nothing is wrong. */
  fault: string | null
}

export const governedInclude = {
  model: { include: { connection: true } },
  fallbacks: {
    orderBy: { position: 'asc' },
    include: { model: { include: { connection: true } } },
  },
  groups: { select: { group: { select: { id: true, name: true } } } },
  _count: { select: { skills: true } },
} as const satisfies Prisma.ConfigurationInclude

type Row = Prisma.ConfigurationGetPayload<{ include: typeof governedInclude }>

const Names = z.array(z.string()).nullable()

export function toGoverned(row: Row): GovernedConfiguration {
  return {
    id: row.id,
    identifier: row.identifier,
    name: row.name,
    description: row.description,
    enabled: row.enabled,
    chain: [row.model, ...row.fallbacks.map(({ model }) => model)].map(toLink),
    systemPrompt: row.systemPrompt,
    parameters: ModelParameters.parse(row.parameters),
    maxRounds: row.maxRounds,
    timeLimitMs: row.timeLimitMs,
    allowedToolGroups: Names.parse(row.allowedToolGroups),
    raisedDataClass: DataClass.nullable().parse(row.raisedDataClass),
    fourEyes: row.fourEyes,
    groups: row.groups
      .map(({ group }) => group)
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
    skills: row._count.skills,
    fault: storedFault(row.parameters, runnable(row)),
  }
}

/** Runs pass over a fallback that is switched off. */
function runnable({ model, fallbacks }: Row): Row['model'][] {
  const others = fallbacks.map((each) => each.model)
  return [model, ...others.filter(({ enabled, connection }) => enabled && connection.enabled)]
}

function toLink({ connection, modelId, displayName, enabled: isOn }: Row['model']): ChainLink {
  return {
    connectionName: connection.name,
    trustZone: trustZoneOf(connection.trustZone),
    wire: wireOf(connection.wire),
    modelId,
    modelName: displayName,
    enabled: isOn && connection.enabled,
  }
}
