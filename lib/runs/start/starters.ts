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
 * Returns who edited what a run goes on from, here or in a run before: the one that it forks, continues or is started by.
 */
export function editorsOf(
  editors: readonly string[],
  { turns, parent }: Pick<Before, 'turns' | 'parent'>,
): { editors?: string[] } {
  const states = [turns.at(-1)?.state, parent?.state]
  const before = states.flatMap((state) => state?.start?.snapshot.editors ?? [])
  const all = new Set([...editors, ...before])
  return all.size === 0 ? {} : { editors: [...all] }
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
