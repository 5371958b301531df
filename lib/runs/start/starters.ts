import 'server-only'
import type { TaskForRun } from '@/lib/domains/tasks/runnable'
import type { Ctx } from '@/lib/kernel/context'
import type { StoredTurn } from '@/lib/runs/conversations/earlier-turns'
import type { ParentOfRun } from './child-plan'

type Before = {
  task: TaskForRun | null
  startersBefore: readonly string[]
  turns: readonly StoredTurn[]
  parent: ParentOfRun | undefined
}

/**
 * Returns who counts as starter of a run beside its person (SPEC A10): who wrote or started what begins it, and the starters of the
 * run that it continues, changes or is started by.
 */
export function startersOf(
  ctx: Ctx,
  { task, startersBefore, turns, parent }: Before,
): { starters?: string[] } {
  const states = [turns.at(-1)?.state, parent?.state]
  const starters = new Set([
    ...(ctx.starters ?? []),
    ...(task?.authors ?? []),
    ...startersBefore,
    ...states.flatMap((state) => state?.start?.snapshot.starters ?? []),
  ])
  starters.delete(ctx.actor.userId)
  return starters.size === 0 ? {} : { starters: [...starters] }
}
