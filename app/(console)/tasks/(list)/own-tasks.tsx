import { lenientQuery, type Params } from '@toolgate/server/edge/lenient-query'
import type { Ctx } from '@toolgate/server/kernel/context'
import {
  defaultOwnTaskSort,
  listOwnTasks,
  type OwnTask,
  OwnTaskFilter,
  type OwnTaskSortKey,
} from '@toolgate/server/runs/lists/own-tasks'
import { ListTodo } from 'lucide-react'
import Link from 'next/link'
import type { FilterField } from '@/components/forms/address-filter'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import { ListFrame } from '@/components/list/list-frame'
import { CardLink, RowLink } from '@/components/list/row-link'
import { PageHead } from '@/components/shell/page-head'
import { RunPill } from '@/components/trace/run-pill'
import { VisibleText } from '@/components/trace/visible-text'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { RelativeTime } from '@/components/ui/relative-time'
import { tasks } from '@/lib/domains/tasks/shape'
import { variableLabel } from '@/lib/domains/tasks/shared/task-form'
import { rowsPerPage } from '@/lib/shape/resource'
import { RunTask } from '../run-task'

const { configurationId } = tasks.fields

/** Shows a member the tasks that they may run. */
export async function OwnTasks({ ctx, params }: { ctx: Ctx; params: Params }) {
  const filter = lenientQuery(OwnTaskFilter, params)
  const { page, sort, ...values } = filter
  const { tasks: rows, total, whole } = await listOwnTasks(ctx, filter)
  const address = { path: '/tasks', values, page, sort: { by: sort, default: defaultOwnTaskSort } }
  return (
    <PageFrame kind="list">
      <PageHead title="Tasks">Saved prompts that you may run.</PageHead>
      <ListFrame
        thing="task"
        address={address}
        fields={[search]}
        total={total}
        whole={whole}
        pageSize={rowsPerPage}
        searched="name, identifier and description"
        nothing={
          <EmptyState icon={ListTodo} title="No tasks for you yet">
            Ask an admin for the task that you need.
          </EmptyState>
        }
      >
        <DataTable
          label="Tasks"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          card={(task) => <Entry task={task} />}
          address={address}
        />
      </ListFrame>
    </PageFrame>
  )
}

const search: FilterField = { type: 'search', name: 'search', label: 'Search tasks' }

const columns: Column<OwnTask, OwnTaskSortKey>[] = [
  {
    key: 'name',
    head: 'Task',
    sort: 'text',
    className: 'min-w-40 max-w-md [overflow-wrap:anywhere]',
    cell: ({ id, name, description, isHalted }) => (
      <>
        {isHalted ? (
          <VisibleText text={name} />
        ) : (
          <RowLink href={`/tasks/${id}`}>
            <VisibleText text={name} />
          </RowLink>
        )}
        {description !== '' && (
          <p className="line-clamp-2 text-muted text-sm">
            <VisibleText text={description} />
          </p>
        )}
      </>
    ),
  },
  {
    key: 'needs',
    head: 'Needs',
    className: 'max-w-64 [overflow-wrap:anywhere]',
    cell: (task) => <Needs task={task} />,
  },
  {
    key: 'configuration',
    head: configurationId.label,
    sort: 'text',
    className: 'max-w-48 [overflow-wrap:anywhere]',
    cell: ({ configuration, isHalted }) => {
      if (configuration !== null) return <VisibleText text={configuration} />
      return <span className="text-muted">{isHalted ? '–' : configurationId.none}</span>
    },
  },
  {
    key: 'last',
    head: 'Your last run',
    className: 'whitespace-nowrap',
    cell: ({ lastRun }) => <LastRun run={lastRun} />,
  },
  {
    key: 'run',
    head: <span className="sr-only">Run</span>,
    className: 'max-w-72',
    cell: (task) => <RunTask task={task} />,
  },
]

/** Shows the variables that a run has to be given, and how many more there are. */
function Needs({ task: { variables, isHalted } }: { task: OwnTask }) {
  if (isHalted) return <span className="text-muted">–</span>
  const needed = variables.filter(({ required, default: usual }) => required && usual === '')
  const others = variables.length - needed.length
  const words = [
    ...(needed.length > 0 ? [needed.map(variableLabel).join(', ')] : []),
    ...(others > 0 ? [`${others} optional`] : []),
  ]
  if (words.length === 0) return <span className="text-muted">Nothing to fill in</span>
  return <VisibleText text={words.join(' · ')} />
}

function LastRun({ run }: { run: OwnTask['lastRun'] }) {
  if (run === null) return <span className="text-muted">None yet</span>
  return (
    <span className="relative z-10 flex flex-wrap items-center gap-2">
      <RunPill run={run} />
      <Link href={`/runs/${run.runId}`} className="text-link hover:underline">
        <RelativeTime at={run.createdAt} />
      </Link>
    </span>
  )
}

/** Shows one task on a narrow screen. */
function Entry({ task }: { task: OwnTask }) {
  const { id, name, description, isHalted, lastRun } = task
  return (
    <>
      {isHalted ? (
        <span className="text-strong [overflow-wrap:anywhere]">
          <VisibleText text={name} />
        </span>
      ) : (
        <CardLink href={`/tasks/${id}`}>
          <VisibleText text={name} />
        </CardLink>
      )}
      {description !== '' && (
        <p className="line-clamp-2 text-muted text-sm [overflow-wrap:anywhere]">
          <VisibleText text={description} />
        </p>
      )}
      {lastRun && <LastRun run={lastRun} />}
      <RunTask task={task} />
    </>
  )
}
