import { ViewTabs } from '@/components/ui/view-tabs'
import { headingOf, pathOf, resourceNouns } from '@/lib/protocol/nouns'

const views = resourceNouns.map((noun) => ({ label: headingOf(noun), href: pathOf(noun) }))

/** Shows links between the views of resources: a view for each noun. */
export function ResourceTabs({ current }: { current: `/resources/${string}` }) {
  return <ViewTabs label="Kinds of resources" views={views} current={current} />
}
