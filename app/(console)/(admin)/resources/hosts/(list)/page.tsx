import { listHostRequests } from '@toolgate/server/domains/hosts/requests'
import { hostVerbs } from '@toolgate/server/domains/hosts/verbs'
import type { Params } from '@toolgate/server/edge/lenient-query'
import type { Ctx } from '@toolgate/server/kernel/context'
import { Globe } from 'lucide-react'
import type { Metadata } from 'next'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import type { Column } from '@/components/list/columns'
import type { ReferenceChoices } from '@/components/resource/resource-form'
import {
  CardHead,
  nameColumn,
  privateColumn,
  switchColumn,
} from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { type Host, hosts } from '@/lib/domains/hosts/shape'
import { WebOrigin } from '@/lib/domains/hosts/shared/web-origin'
import type { SortKeyOf } from '@/lib/shape/resource'
import { changeHost } from '../actions'
import { NewHostButton } from '../host-form'
import { HostRequests } from '../host-requests'

export const metadata: Metadata = { title: 'Hosts' }

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

async function readAbove(ctx: Ctx, params: Params) {
  const requests = await listHostRequests(ctx, {})
  const requested = WebOrigin.safeParse(params.ask).data ?? null
  return (choices: ReferenceChoices) => (
    <HostRequests key={requested} requests={requests} requested={requested} choices={choices} />
  )
}

export default resourceListPage(hosts, hostVerbs, {
  about:
    'What tools may reach. A host is an origin of the web that they may read; everything that is not listed is refused.',
  add: (choices) => <NewHostButton choices={choices} />,
  columns,
  card: (host) => <Entry host={host} />,
  searched: 'origin and note',
  nothing: {
    icon: Globe,
    words: 'A host is an origin, such as https://example.org, that tools may read.',
  },
  readAbove,
})
