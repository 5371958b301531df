import { listShippedTasks } from '@toolgate/server/domains/tasks/shipped'
import { taskVerbs } from '@toolgate/server/domains/tasks/verbs'
import type { Params } from '@toolgate/server/edge/lenient-query'
import { readResourceList } from '@toolgate/server/edge/resource-list'
import type { Ctx } from '@toolgate/server/kernel/context'
import { ListTodo } from 'lucide-react'
import type { FilterField } from '@/components/forms/address-filter'
import type { Column } from '@/components/list/columns'
import { AddLink } from '@/components/list/links'
import { CardHead, nameColumn, switchColumn } from '@/components/resource/resource-list'
import { ResourceListPage } from '@/components/resource/resource-list-page'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { type Task, tasks } from '@/lib/domains/tasks/shape'
import { panelKindWords } from '@/lib/domains/tasks/shared/panel-of-task'
import { readReferenceChoices } from '@/lib/next/reference-choices'
import type { SortKeyOf } from '@/lib/shape/resource'
import { countOf, formatCount } from '@/lib/words/format'
import { changeTask } from '../actions'
import { ShippedTasks } from './shipped-tasks'

/** Shows every task, for admins. */
export async function AllTasks({ ctx, params }: { ctx: Ctx; params: Params }) {
  const [list, shipped, { configurations }] = await Promise.all([
    readResourceList(ctx, tasks, taskVerbs, params),
    listShippedTasks(ctx, {}),
    readReferenceChoices(ctx, tasks),
  ])
  return (
    <ResourceListPage
      title="Tasks"
      about="Saved prompts to fill in and run."
      add={<AddLink href="/tasks/new">Add task</AddLink>}
      resource={tasks}
      list={list}
      filters={[byConfiguration(configurations)]}
      columns={columns}
      card={(task) => <Entry task={task} />}
      searched="name, identifier, description and prompt"
      nothing={{
        icon: ListTodo,
        words: 'A task saves a prompt with variables to fill in.',
      }}
      below={
        shipped.some(({ isAdded }) => !isAdded) && (
          <Section title="Ready to add">
            <p className="text-muted">Add one and change it.</p>
            <ShippedTasks tasks={shipped.filter(({ isAdded }) => !isAdded)} />
          </Section>
        )
      }
    />
  )
}

const { configurationId } = tasks.fields

function byConfiguration(configurations: { id: string; name: string }[]): FilterField {
  return {
    type: 'choice',
    name: 'configuration',
    label: configurationId.label,
    any: 'All configurations',
    options: configurations.map(({ id, name }) => ({ value: id, label: name })),
  }
}

const columns: Column<Task, SortKeyOf<typeof tasks>>[] = [
  switchColumn(tasks.fields, changeTask),
  nameColumn('Task', tasks),
  {
    key: 'configuration',
    head: configurationId.label,
    sort: 'text',
    className: '[overflow-wrap:anywhere]',
    cell: ({ configuration }) =>
      configuration ? (
        <VisibleText text={configuration.name} />
      ) : (
        <span className="text-muted">{configurationId.none}</span>
      ),
  },
  {
    key: 'panel',
    head: 'Kind',
    cell: ({ panel }) => panelKindWords(panel),
  },
  {
    key: 'variables',
    head: tasks.fields.variables.label,
    figures: true,
    cell: ({ variables }) => formatCount(variables.length),
  },
  {
    key: 'skills',
    head: tasks.fields.skills.label,
    figures: true,
    cell: ({ skills }) => formatCount(skills.length),
  },
  {
    key: 'version',
    head: 'Version',
    sort: 'number',
    figures: true,
    cell: ({ version }) => formatCount(version),
  },
  {
    key: 'changed',
    head: 'Changed',
    sort: 'time',
    className: 'whitespace-nowrap',
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
  },
]

/** Shows one task on a narrow screen. */
function Entry({ task }: { task: Task }) {
  return (
    <>
      <CardHead resource={tasks} row={task} send={changeTask} />
      <ul className="numeric flex flex-wrap gap-x-3 text-muted text-sm">
        <li>{task.configuration?.name ?? `configuration ${configurationId.none}`}</li>
        <li>{panelKindWords(task.panel)}</li>
        <li>{countOf(task.variables.length, 'variable')}</li>
      </ul>
    </>
  )
}
