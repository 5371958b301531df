import { hostVerbs } from '@toolgate/server/domains/hosts/verbs'
import { resourcePage } from '@/app/(console)/(admin)/resource-page'
import { hosts } from '@/lib/domains/hosts/shape'
import { HostActions } from '../host-form'

const { page, generateMetadata } = resourcePage(hosts, hostVerbs, ({ object, choices }) => ({
  actions: <HostActions object={object} choices={choices} />,
}))

export { generateMetadata }
export default page
