import { groupVerbs } from '@toolgate/server/domains/groups/verbs'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { groups } from '@/lib/domains/groups/shape'
import { countOf, formatCount } from '@/lib/words/format'
import { NewGroupButton } from '../group-form'

export const metadata = { title: 'Groups' }

export default resourceListPage(groups, groupVerbs, {
  about: 'Who may use which configurations.',
  empty: 'Members use the configurations of their groups.',
  add: NewGroupButton,
  columns: [
    {
      key: 'description',
      head: groups.fields.description.label,
      className: 'max-w-120 text-muted [overflow-wrap:anywhere]',
      cell: ({ description }) => <VisibleText text={description} />,
    },
    {
      key: 'members',
      head: 'Members',
      sort: 'number',
      figures: true,
      cell: ({ members }) => formatCount(members.length),
    },
    {
      key: 'configurations',
      head: 'Configurations',
      sort: 'number',
      figures: true,
      cell: ({ configurations }) => formatCount(configurations.length),
    },
  ],
  cardText: ({ members, configurations }) =>
    `${countOf(members.length, 'member')} · ${countOf(configurations.length, 'configuration')}`,
  searched: 'name and description',
})
