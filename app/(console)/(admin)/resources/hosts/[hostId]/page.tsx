import { hostVerbs } from '@toolgate/server/domains/hosts/verbs'
import { ResourcePage } from '@/components/resource/resource-page'
import { hosts } from '@/lib/domains/hosts/shape'
import { type ReadObject, resourcePage } from '@/lib/next/read-resource-page'
import { changeHost } from '../actions'
import { HostActions } from '../host-form'

const { page, generateMetadata } = resourcePage(hosts, hostVerbs, HostPage)

export { generateMetadata }
export default page

function HostPage({ object, choices, history }: ReadObject<typeof hosts>) {
  return (
    <ResourcePage
      resource={hosts}
      object={object}
      history={history}
      change={changeHost}
      actions={<HostActions host={object} choices={choices} />}
    />
  )
}
