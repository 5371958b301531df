import 'server-only'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { knownNames, unknown } from './known-names'

/** ValidationError for a group that no tool is in: a misspelt one would quietly allow less. Admins only. */
export async function requireToolGroups(ctx: Ctx, names: readonly string[]): Promise<void> {
  requireRole(ctx, 'admin')
  if (names.length === 0) return
  const { groups } = await knownNames()
  const missing = names.find((name) => !groups.has(name))
  if (missing === undefined) return
  throw new ValidationError({ allowedToolGroups: unknown('tool group', missing, groups) })
}
