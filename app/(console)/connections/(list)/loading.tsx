import { ListSkeleton } from '@/components/ui/list-skeleton'

export default function ConnectionsLoading() {
  return <ListSkeleton label="Loading connections" rows={5} />
}
