import { ListSkeleton } from '@/components/ui/list-skeleton'
import { Skeleton } from '@/components/ui/skeleton'

export default function DecidedLoading() {
  return (
    <ListSkeleton
      label="Loading approvals"
      rows={10}
      row={
        <div className="flex h-14 items-center gap-6 px-3">
          <Skeleton className="h-5 w-24 rounded-full" />
          <Skeleton className="h-3.5 max-w-96 flex-1" />
          <Skeleton className="h-3.5 w-32" />
        </div>
      }
    />
  )
}
