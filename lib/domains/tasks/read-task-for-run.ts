import { z } from 'zod'
import type { Prisma, Task } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import type { CostCap } from '../../protocol/cost'
import { namedBy } from '../../protocol/identifier'
import { type JsonObject, StoredSchema } from '../../protocol/parameter-values'
import type { RunSnapshot, SkillSnapshot } from '../../protocol/run-snapshot'
import { TaskVariable } from '../../protocol/task-form'
import { countingAttachment, skillSnapshots } from '../rows/skill-snapshots'
import { visibleTasks } from './visible-tasks'

/** What a run takes from its task. `skills` are those that count (SPEC G-S), in the order they are sent. */
export type TaskForRun = {
  facts: NonNullable<RunSnapshot['task']>
  prompt: string
  variables: TaskVariable[]
  configurationId: string | null
  /** null = the configuration's. */
  outputSchema: JsonObject | null
  skills: SkillSnapshot[]
  costCaps: CostCap[]
}

/** A task this person may run, by id or identifier. NotFoundError when there is none or it is not theirs. */
export async function readTaskForRun(
  tx: Tx,
  ctx: Ctx,
  idOrIdentifier: string,
  usable: Prisma.ConfigurationWhereInput,
): Promise<TaskForRun> {
  return read(tx, { AND: [visibleTasks(ctx, usable), taskNamed(idOrIdentifier)] })
}

/** The same for whoever governs it: one that is switched off, too. Admins only. */
export async function readAnyTaskForRun(
  tx: Tx,
  ctx: Ctx,
  idOrIdentifier: string,
): Promise<TaskForRun> {
  requireRole(ctx, 'admin')
  return read(tx, taskNamed(idOrIdentifier))
}

/** The task with this id or identifier; NotFoundError for what can be neither. */
export function taskNamed(idOrIdentifier: string): { id: string } | { identifier: string } {
  const named = namedBy(idOrIdentifier)
  if (!named) throw new NotFoundError('The task')
  return named
}

async function read(tx: Tx, where: Prisma.TaskWhereInput): Promise<TaskForRun> {
  const row = await tx.task.findFirst({ where })
  if (!row) throw new NotFoundError('The task')
  const { id: taskId, identifier, name, version, prompt, configurationId } = row
  return {
    facts: { taskId, identifier, name, version },
    prompt,
    variables: z.array(TaskVariable).parse(row.variables),
    configurationId,
    outputSchema: StoredSchema.parse(row.outputSchema),
    skills: await readSkills(tx, taskId),
    costCaps: costCapsOf(row),
  }
}

async function readSkills(tx: Tx, taskId: string): Promise<SkillSnapshot[]> {
  const attached = await tx.taskSkill.findMany({
    where: { taskId, ...countingAttachment },
    orderBy: { position: 'asc' },
    include: { skill: true },
  })
  const skills = attached.map(({ skill }) => skill)
  return skillSnapshots(tx, skills)
}

/** None when there is no figure or it is off (SPEC M4). */
function costCapsOf({ costCapMicroUsd, costCapMode: mode }: Task): CostCap[] {
  if (costCapMicroUsd === null || mode === 'off') return []
  return [{ scope: 'task', mode, limitMicroUsd: Number(costCapMicroUsd) }]
}
