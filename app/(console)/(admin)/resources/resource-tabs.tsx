import { ViewTabs } from '@/components/ui/view-tabs'
import { hosts } from '@/lib/domains/hosts/shape'
import { pathOf } from '@/lib/protocol/resource'

const kinds = { hosts: { label: 'Hosts', href: pathOf(hosts) } } as const

/** Shows links between the kinds of things that tools may use. */
export function ResourceTabs({ current }: { current: keyof typeof kinds }) {
  return (
    <ViewTabs
      label="Kinds of resources"
      views={Object.values(kinds)}
      current={kinds[current].href}
    />
  )
}
