import { ListSkeleton } from '@/components/ui/list-skeleton'
import { Skeleton } from '@/components/ui/skeleton'

export default function UsersLoading() {
  return (
    <ListSkeleton
      label="Loading users"
      rows={8}
      row={
        <div className="flex h-13 items-center gap-6 px-3">
          <Skeleton className="h-3.5 max-w-72 flex-1" />
          <Skeleton className="h-5 w-20 rounded-full" />
          <Skeleton className="h-3.5 w-32" />
        </div>
      }
    />
  )
}
