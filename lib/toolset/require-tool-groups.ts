import 'server-only'
import type { Ctx } from '@/lib/context'
import { ValidationError } from '@/lib/errors'
import { listToolGroups } from './list-tool-groups'

/** ValidationError for a group that no tool is in: a misspelt one would quietly allow less. Admins only. */
export async function requireToolGroups(ctx: Ctx, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const known = new Set((await listToolGroups(ctx)).map(({ name }) => name))
  const missing = names.find((name) => !known.has(name))
  if (missing === undefined) return
  throw new ValidationError({
    allowedToolGroups: `There is no tool group "${missing.slice(0, 100)}". The groups are listed under Tools.`,
  })
}
