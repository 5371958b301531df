import { listHostRequests } from '@toolgate/server/domains/hosts/requests'
import { hostVerbs } from '@toolgate/server/domains/hosts/verbs'
import { readResourceList } from '@toolgate/server/edge/resource-list'
import { Globe } from 'lucide-react'
import type { Metadata } from 'next'
import { ResourceTabs } from '@/app/(console)/(admin)/resources/resource-tabs'
import type { Column } from '@/components/list/columns'
import {
  CardHead,
  nameColumn,
  privateColumn,
  switchColumn,
} from '@/components/resource/resource-list'
import { ResourceListPage } from '@/components/resource/resource-list-page'
import { VisibleText } from '@/components/trace/visible-text'
import { type Host, hosts } from '@/lib/domains/hosts/shape'
import { WebOrigin } from '@/lib/domains/hosts/shared/web-origin'
import { readReferenceChoices } from '@/lib/next/reference-choices'
import { requireAdmin } from '@/lib/next/require-user'
import type { SortKeyOf } from '@/lib/shape/resource'
import { changeHost } from '../actions'
import { NewHostButton } from '../host-form'
import { HostRequests } from '../host-requests'

export const metadata: Metadata = { title: 'Hosts' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function HostsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const params = await searchParams
  const [list, requests, choices] = await Promise.all([
    readResourceList(ctx, hosts, hostVerbs, params),
    listHostRequests(ctx, {}),
    readReferenceChoices(ctx, hosts),
  ])
  const requested = WebOrigin.safeParse(params.ask).data ?? null
  return (
    <ResourceListPage
      title="Resources"
      about="What tools may reach. A host is an origin of the web that they may read; everything that is not listed is refused."
      add={<NewHostButton choices={choices} />}
      resource={hosts}
      list={list}
      columns={columns}
      card={(host) => <Entry host={host} />}
      searched="origin and note"
      nothing={{
        icon: Globe,
        title: 'No hosts yet',
        words: 'A host is an origin, such as https://example.org, that tools may read.',
      }}
    >
      <ResourceTabs current="/resources/hosts" />
      <HostRequests key={requested} requests={requests} requested={requested} choices={choices} />
    </ResourceListPage>
  )
}

const columns: Column<Host, SortKeyOf<typeof hosts>>[] = [
  switchColumn(hosts.fields, changeHost),
  nameColumn('Origin', hosts),
  privateColumn,
  {
    key: 'note',
    head: hosts.fields.note.label,
    className: 'max-w-96 [overflow-wrap:anywhere]',
    cell: ({ note }) => <VisibleText text={note ?? ''} />,
  },
]

/** Shows one host on a narrow screen. */
function Entry({ host }: { host: Host }) {
  return (
    <>
      <CardHead resource={hosts} row={host} send={changeHost} />
      <span className="text-muted text-sm [overflow-wrap:anywhere]">
        {host.privateAddressAllowed && 'Addresses in a private network are allowed. '}
        <VisibleText text={host.note ?? ''} />
      </span>
    </>
  )
}
