import type { Ctx } from '@toolgate/server/kernel/context'
import { listRuns } from '@toolgate/server/runs/lists/list-runs'
import type { readOwnTask } from '@toolgate/server/runs/lists/own-tasks'
import { defaultRunSort } from '@toolgate/server/runs/schemas'
import Link from 'next/link'
import { PageHead } from '@/components/shell/page-head'
import { PanelNote } from '@/components/tasks/panel-note'
import { LongText } from '@/components/trace/long-text'
import { RunPill } from '@/components/trace/run-pill'
import { VisibleText } from '@/components/trace/visible-text'
import { Card } from '@/components/ui/card'
import { Fact } from '@/components/ui/fact'
import { PageFrame } from '@/components/ui/page-frame'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { tasks } from '@/lib/domains/tasks/shape'
import { type TaskVariable, variableLabel } from '@/lib/domains/tasks/shared/task-form'
import { RunTask } from '../run-task'

const shownRuns = 10
const { configurationId, variables: variablesField, prompt: promptField } = tasks.fields

type Task = Awaited<ReturnType<typeof readOwnTask>>

/** Shows a task to somebody who may run it: what it does, what it needs, and their own runs of it. */
export async function OwnTaskView({ ctx, task }: { ctx: Ctx; task: Task }) {
  const { id, name, description, prompt, variables, configuration, identifier } = task
  const { rows, total } = await listRuns(ctx, {
    task: id,
    user: ctx.actor.userId,
    page: 1,
    pageSize: shownRuns,
    sort: defaultRunSort,
  })
  return (
    <PageFrame kind="detail">
      <PageHead
        title={<VisibleText text={name} />}
        action={task.obstacle === null && <RunTask task={task} variant="primary" />}
      >
        {description === '' ? 'A prompt to fill in and run.' : <VisibleText text={description} />}
      </PageHead>
      {task.obstacle !== null && <RunTask task={task} />}
      <Card className="p-3">
        <dl className="flex flex-wrap gap-x-8 gap-y-3">
          {task.panel?.kind !== 'confer' && (
            <Fact label={configurationId.label}>
              {configuration === null ? configurationId.none : <VisibleText text={configuration} />}
            </Fact>
          )}
          <Fact label="Identifier">
            <code className="font-mono text-mono">{identifier}</code>
          </Fact>
          {task.panel && (
            <Fact label="Kind">
              <PanelNote panel={task.panel} />
            </Fact>
          )}
        </dl>
      </Card>
      <Section title={variablesField.label}>
        {variables.length === 0 ? (
          <p className="text-muted">Nothing to fill in.</p>
        ) : (
          <ul aria-label={variablesField.label} className="flex flex-col gap-1">
            {variables.map((variable) => (
              <Variable key={variable.name} variable={variable} />
            ))}
          </ul>
        )}
      </Section>
      <Section title={promptField.label}>
        <LongText text={prompt} label="Prompt of the task" />
      </Section>
      <Section title="Your runs">
        {rows.length === 0 && <p className="text-muted">None yet.</p>}
        {rows.length > 0 && task.panel && (
          <p className="text-muted">
            <Link href="/runs/panels" className="text-link underline underline-offset-2">
              See them as panels
            </Link>
            .
          </p>
        )}
        <ul aria-label="Your runs" className="flex flex-col gap-1">
          {rows.map((run) => (
            <li key={run.runId} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <RunPill run={{ ...run, waits: run.waiting !== null }} />
              <Link href={`/runs/${run.runId}`} className="text-link hover:underline">
                <RelativeTime at={run.createdAt} />
              </Link>
            </li>
          ))}
        </ul>
        {total > rows.length && (
          <Link href={`/runs?task=${id}`} className="text-link hover:underline">
            All your runs of this task
          </Link>
        )}
      </Section>
    </PageFrame>
  )
}

const typeWords: Record<TaskVariable['type'], string> = {
  text: 'text',
  'long-text': 'long text',
  number: 'number',
  boolean: 'yes or no',
  choice: 'one of a few',
  date: 'date',
}

function Variable({ variable }: { variable: TaskVariable }) {
  const { type, required, default: usual, options } = variable
  const words = [
    typeWords[type],
    type === 'boolean' ? '' : required ? 'required' : 'optional',
    usual && `default: ${usual}`,
    options.length > 0 && options.join(' | '),
  ]
  return (
    <li className="[overflow-wrap:anywhere]">
      <span className="font-medium text-strong">
        <VisibleText text={variableLabel(variable)} />
      </span>{' '}
      <span className="text-muted">
        <VisibleText text={words.filter(Boolean).join(', ')} />
      </span>
    </li>
  )
}
