import { ListSkeleton } from '@/components/ui/list-skeleton'
import { Skeleton } from '@/components/ui/skeleton'

export default function UserLoading() {
  return (
    <ListSkeleton
      label="Loading the user"
      rows={4}
      row={
        <div className="flex h-13 items-center px-3">
          <Skeleton className="h-3.5 max-w-96 flex-1" />
        </div>
      }
    />
  )
}
