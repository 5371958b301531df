import { ViewTabs } from '@/components/ui/view-tabs'

const views = [
  { label: 'Runs', href: '/runs' },
  { label: 'Conversations', href: '/runs/conversations' },
  { label: 'Panels', href: '/runs/panels' },
] as const

/** Shows links between the lists of runs. */
export function RunsTabs({ current }: { current: (typeof views)[number]['href'] }) {
  return <ViewTabs label="Lists of runs" views={views} current={current} />
}
