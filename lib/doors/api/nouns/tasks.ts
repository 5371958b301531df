import { z } from 'zod'
import { TaskChoice } from '@/lib/domains/tasks/schemas'
import { tasks } from '@/lib/domains/tasks/shape'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import { created, endpoint, factsOf, serve } from '@/lib/doors/api/endpoint'
import { namedBody } from '@/lib/doors/api/resource-endpoints'
import { listRunnableTasks, readRunnableTask } from '@/lib/joined-verbs'
import { startTask, TaskRunFields } from '@/lib/runs/start/start-task'
import { untyped } from '@/lib/shape/resource'

/** The run or panel that a task or schedule started; the other one is null. */
export const Begun = z.object({ runId: z.string().nullable(), panelId: z.string().nullable() })

/** Returns the address of what began. */
export function pathOfBegun({ runId, panelId }: z.output<typeof Begun>): string {
  return panelId === null ? `/runs/${runId}` : `/panels/${panelId}`
}

const TaskRun = z.strictObject(TaskRunFields.omit({ idempotencyKey: true, task: true }).shape)

/**
 * Members may list and read the tasks that they may run; the rest of a task is for admins, on its page and in a
 * terminal.
 */
export const taskEndpoints = [
  serve('GET', '/tasks', listRunnableTasks, {
    answers: { 200: z.object({ tasks: z.array(TaskChoice) }) },
    answer: ({ output }) => Response.json({ tasks: output }),
  }),
  serve('POST', '/tasks', taskVerbs.create, {
    ...namedBody(tasks.fields, untyped(tasks).Create),
    answers: { 201: z.object({ id: z.string() }) },
    answer: ({ output: { id } }) => created(`/tasks/${id}`, { id }),
  }),
  serve('GET', '/tasks/{task}', readRunnableTask),
  endpoint(
    'POST',
    '/tasks/{task}/run',
    {
      ...factsOf(startTask),
      takesHeader: 'idempotency-key',
      body: TaskRun,
      answers: { 200: Begun, 202: Begun },
      example: { variables: { plan: 'Move the database on Sunday.' } },
    },
    async ({ ctx, request, body, params: { task = '' } }) => {
      const idempotencyKey = request.headers.get('idempotency-key')
      const { created: isNew, ...begun } = await startTask(ctx, { ...body, task, idempotencyKey })
      const headers = { location: `/api/v1${pathOfBegun(begun)}` }
      return Response.json(begun, { status: isNew ? 202 : 200, headers })
    },
  ),
]
