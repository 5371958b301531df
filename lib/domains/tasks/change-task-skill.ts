import { type Ctx, requireRole } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { ConflictError, NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import type { TaskForm } from '../../protocol/task-form'
import { changeTask } from './change-task'

const maxSkills = 20

export type TaskSkillChange =
  | { type: 'attach' }
  | { type: 'detach' }
  | { type: 'move'; direction: 'up' | 'down' }
  | { type: 'enable'; enabled: boolean }

type Skills = TaskForm['skills']

/**
 * Adds a skill to a task behind those it has, takes it away, sends it one place earlier or later, or switches it on or
 * off there; each as a new version of the task. False when it stood so already. ConflictError beyond 20 skills,
 * NotFoundError when task or skill is missing. Admins only.
 */
export async function changeTaskSkill(
  ctx: Ctx,
  asked: { taskId: string; skillId: string },
  change: TaskSkillChange,
): Promise<boolean> {
  requireRole(ctx, 'admin')
  const skillId = parseId(asked.skillId, 'The skill')
  const { changed } = await changeTask(ctx, {
    taskId: asked.taskId,
    action: actionOf(change),
    next: async (before, tx) => {
      const skill = await requireSkill(tx, skillId)
      return { ...before, skills: skillsAfter(before.skills, skill, change) }
    },
  })
  return changed
}

async function requireSkill(tx: Tx, id: string): Promise<{ id: string; name: string }> {
  const skill = await tx.skill.findUnique({ where: { id }, select: { id: true, name: true } })
  if (!skill) throw new NotFoundError('The skill')
  return skill
}

function skillsAfter(skills: Skills, skill: { id: string; name: string }, change: TaskSkillChange) {
  const at = skills.findIndex(({ id }) => id === skill.id)
  switch (change.type) {
    case 'attach':
      return at === -1 ? appended(skills, skill) : skills
    case 'detach':
      return skills.filter(({ id }) => id !== skill.id)
    case 'move':
      return moved(skills, at, at + (change.direction === 'up' ? -1 : 1))
    case 'enable':
      return skills.map((each) =>
        each.id === skill.id ? { ...each, enabled: change.enabled } : each,
      )
    default:
      return change satisfies never
  }
}

function appended(skills: Skills, skill: { id: string; name: string }): Skills {
  if (skills.length < maxSkills) return [...skills, { ...skill, enabled: true }]
  throw new ConflictError(`A task has at most ${maxSkills} skills. Remove one first.`)
}

function moved(skills: Skills, from: number, to: number): Skills {
  const [one, other] = [skills[from], skills[to]]
  return one && other ? skills.with(from, other).with(to, one) : skills
}

function actionOf(change: TaskSkillChange): string {
  switch (change.type) {
    case 'attach':
      return 'task.add-skill'
    case 'detach':
      return 'task.remove-skill'
    case 'move':
      return 'task.order-skills'
    case 'enable':
      return change.enabled ? 'task.switch-on-skill' : 'task.switch-off-skill'
    default:
      return change satisfies never
  }
}
