import type { Ctx } from '@/lib/context'
import { listSoleLimits } from '@/lib/skills/list-sole-limits'
import { printLine } from './print'

/** `limitGone` are the identifiers of configurations in which no skill lists tools any more (SPEC G-S). */
type Change = { changed: boolean; limitGone: string[] }

/** Changes something of a skill and tells where that took the last limit away. */
export async function limitsGone(
  ctx: Ctx,
  skillId: string,
  change: () => Promise<boolean>,
): Promise<Change> {
  const before = await listSoleLimits(ctx, skillId)
  const changed = await change()
  const kept = new Set((await listSoleLimits(ctx, skillId)).map(({ id }) => id))
  const gone = before.filter(({ id }) => !kept.has(id))
  return { changed, limitGone: gone.map(({ identifier }) => identifier) }
}

export function printLimitsGone({ limitGone }: Change): void {
  if (limitGone.length === 0) return
  printLine(
    `No skill of ${limitGone.join(', ')} counts and lists tools now: new runs are offered whatever the other gates allow.`,
  )
}
