import { ListTodo } from 'lucide-react'
import type { Metadata } from 'next'
import type { FilterField } from '@/components/forms/address-filter'
import { onOffField } from '@/components/list/filter-fields'
import { AddLink } from '@/components/list/links'
import { ListFrame } from '@/components/list/list-frame'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHead } from '@/components/ui/page-head'
import { requireAdmin } from '@/lib/auth/require-user'
import { listGovernedConfigurations } from '@/lib/domains/configurations/reads'
import { listTasks } from '@/lib/domains/tasks/reads'
import { defaultTaskSort, TaskFilter } from '@/lib/domains/tasks/schemas'
import { lenientQuery } from '@/lib/kernel/lenient-query'
import { rowsPerPage } from '@/lib/protocol/resource'
import { TaskList } from './task-list'

export const metadata: Metadata = { title: 'Tasks' }

const Query = TaskFilter.extend({ pageSize: TaskFilter.shape.pageSize.default(rowsPerPage) })

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const add = <AddLink href="/tasks/new">Add task</AddLink>

export default async function TasksPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const query = lenientQuery(Query, await searchParams)
  const { page, pageSize, sort, ...values } = query
  const [{ rows, total }, configurations] = await Promise.all([
    listTasks(ctx, query),
    listGovernedConfigurations(ctx, {}),
  ])
  const address = { path: '/tasks', values, page, sort: { by: sort, default: defaultTaskSort } }
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <PageHead title="Tasks" action={add}>
        Saved prompts with variables. People fill in the variables and run the prompt. A task can
        have its own configuration and skills.
      </PageHead>
      <ListFrame
        thing="task"
        address={address}
        fields={taskFields(configurations)}
        total={total}
        pageSize={pageSize}
        searched="name, identifier, description and prompt"
        nothing={<NoTasks />}
      >
        <TaskList rows={rows} address={address} />
      </ListFrame>
    </div>
  )
}

function taskFields(configurations: { id: string; name: string }[]): FilterField[] {
  return [
    { type: 'search', name: 'search', label: 'Search tasks' },
    onOffField,
    {
      type: 'choice',
      name: 'configuration',
      label: 'Configuration',
      any: 'All configurations',
      options: configurations.map(({ id, name }) => ({ value: id, label: name })),
    },
  ]
}

function NoTasks() {
  return (
    <EmptyState icon={ListTodo} title="No tasks yet" action={add}>
      A task saves a prompt that people run again and again, with variables to fill in.
    </EmptyState>
  )
}
