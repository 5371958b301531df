import { ListSkeleton } from '@/components/ui/list-skeleton'
import { Skeleton } from '@/components/ui/skeleton'

export default function ConnectionsLoading() {
  return (
    <ListSkeleton
      label="Loading connections"
      rows={5}
      row={
        <div className="flex h-14 items-center justify-between gap-8 px-3">
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-3.5 w-32" />
            <Skeleton className="h-3 w-full max-w-72" />
          </div>
          <Skeleton className="h-5 w-16 rounded-full" />
        </div>
      }
    />
  )
}
