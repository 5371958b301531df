import 'server-only'
import { z } from 'zod'
import type { Tx } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { localTools } from '@/lib/toolset/tools/installed-tools'

/** Name of a tool for models. Each API type takes it as it is. */
export const Alias = z
  .string()
  .trim()
  .regex(
    /^[a-z_][a-z0-9_]{0,47}$/,
    'An alias has at most 48 lower-case letters, digits and underscores, and does not begin with a digit.',
  )

type Named = { name: string; alias?: string | null | undefined }

/**
 * Throws ValidationError for an alias that another tool has as its name or alias, also one that its server does not offer any
 * more: a name never comes to mean another tool.
 */
export async function requireFreeAliases(tx: Tx, tools: readonly Named[]): Promise<void> {
  const aliased = tools.flatMap(({ name, alias }) => (alias ? [{ name, alias }] : []))
  if (aliased.length === 0) return
  const aliases = aliased.map(({ alias }) => alias)
  const [rows, local] = await Promise.all([
    tx.remoteTool.findMany({
      where: { OR: [{ name: { in: aliases } }, { alias: { in: aliases } }] },
      select: { name: true, alias: true },
    }),
    localTools(),
  ])
  const owners = [...rows, ...local.map(({ name }) => ({ name, alias: null })), ...aliased]
  for (const { name, alias } of aliased) {
    const owner = owners.find(
      (other) => other.name !== name && (other.name === alias || other.alias === alias),
    )
    if (!owner) continue
    const words = `${name} cannot be called ${alias}: that is what ${owner.name} is called.`
    throw new ValidationError({ tools: words })
  }
}
