import { ViewTabs } from '@/components/ui/view-tabs'

/** Resources of tools, a view for each kind. */
export const resourceViews = [
  { label: 'Hosts', href: '/resources/hosts' },
  { label: 'Search endpoints', href: '/resources/search-endpoints' },
  { label: 'Workspaces', href: '/resources/workspaces' },
  { label: 'Programs', href: '/resources/programs' },
  { label: 'Data sources', href: '/resources/data-sources' },
  { label: 'Storages', href: '/resources/storages' },
  { label: 'Sites', href: '/resources/sites' },
] as const

/** Shows links between the views of resources. */
export function ResourceTabs({ current }: { current: (typeof resourceViews)[number]['href'] }) {
  return <ViewTabs label="Kinds of resources" views={resourceViews} current={current} />
}
