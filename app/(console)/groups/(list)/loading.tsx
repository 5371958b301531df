import { ListSkeleton } from '@/components/ui/list-skeleton'
import { Skeleton } from '@/components/ui/skeleton'

export default function GroupsLoading() {
  return (
    <ListSkeleton
      label="Loading groups"
      rows={6}
      row={
        <div className="flex h-13 items-center gap-6 px-3">
          <Skeleton className="h-3.5 max-w-96 flex-1" />
          <Skeleton className="h-3.5 w-24" />
        </div>
      }
    />
  )
}
