import { listHostRequests } from '@toolgate/server/domains/hosts/requests'
import { hostVerbs } from '@toolgate/server/domains/hosts/verbs'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import { hosts } from '@/lib/domains/hosts/shape'
import { WebOrigin } from '@/lib/domains/hosts/shared/web-origin'
import { NewHostButton } from './host-form'
import { HostRequests } from './host-requests'

export const metadata = { title: 'Hosts' }

export default resourceListPage(hosts, hostVerbs, {
  about: 'Origins that tools may read; all others are refused.',
  add: NewHostButton,
  readAbove: async (ctx, params) => {
    const requests = await listHostRequests(ctx, {})
    const requested = WebOrigin.safeParse(params.ask).data ?? null
    return (choices) => (
      <HostRequests key={requested} requests={requests} requested={requested} choices={choices} />
    )
  },
})
