import 'server-only'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { knownNames, unknown } from './known-names'

/**
 * Throws ValidationError for a group without tools, because a misspelt one would allow less without an error. Admins
 * only.
 */
export async function requireToolGroups(ctx: Ctx, names: readonly string[]): Promise<void> {
  requireRole(ctx, 'admin')
  if (names.length === 0) return
  const { groups } = await knownNames()
  const missing = names.find((name) => !groups.has(name))
  if (missing === undefined) return
  throw new ValidationError({ allowedToolGroups: unknown('tool group', missing, groups) })
}
