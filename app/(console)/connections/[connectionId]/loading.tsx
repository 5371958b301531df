import { ListSkeleton } from '@/components/ui/list-skeleton'
import { Skeleton } from '@/components/ui/skeleton'

export default function ConnectionLoading() {
  return (
    <ListSkeleton
      label="Loading the connection"
      rows={6}
      row={
        <div className="flex h-14 items-center px-3">
          <Skeleton className="h-3.5 max-w-96 flex-1" />
        </div>
      }
    />
  )
}
