import type { RunSnapshot } from '@/lib/protocol/run-snapshot'
import type { TaskForRun } from '@/lib/tasks/read-task-for-run'

/** The configuration with what its task adds: the skills behind its own, each once (SPEC G-S), and the cost cap. */
export function withTask(snapshot: RunSnapshot, task: TaskForRun | null): RunSnapshot {
  if (!task) return snapshot
  const known = new Set(snapshot.skills.map(({ skillId }) => skillId))
  const more = task.skills.filter(({ skillId }) => !known.has(skillId))
  return {
    ...snapshot,
    task: task.facts,
    skills: [...snapshot.skills, ...more],
    costCaps: [...snapshot.costCaps, ...task.costCaps],
  }
}
