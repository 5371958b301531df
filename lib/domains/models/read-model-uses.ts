import type { Prisma } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import type { ModelUse } from './schemas'

const named = { select: { id: true, name: true } } as const

/** For `include` of a model: the configurations that have it. */
export const withUses = {
  configurations: named,
  fallbackFor: { select: { position: true, configuration: named } },
} as const satisfies Prisma.ModelInclude

/** The configurations that have a model read `withUses`, by name. */
export function usesOf({
  configurations,
  fallbackFor,
}: Prisma.ModelGetPayload<{ include: typeof withUses }>): ModelUse[] {
  const uses = [
    ...configurations.map((each) => ({ ...each, position: null })),
    ...fallbackFor.map(({ position, configuration }) => ({ ...configuration, position })),
  ]
  return uses.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

export async function readModelUses(tx: Tx, modelId: string): Promise<ModelUse[]> {
  return usesOf(await tx.model.findUniqueOrThrow({ where: { id: modelId }, include: withUses }))
}
