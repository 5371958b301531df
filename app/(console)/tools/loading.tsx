import { ListSkeleton } from '@/components/ui/list-skeleton'

export default function ToolsLoading() {
  return <ListSkeleton label="Loading tools" rows={8} />
}
