import { ListSkeleton } from '@/components/ui/list-skeleton'
import { Skeleton } from '@/components/ui/skeleton'

export default function ApprovalsLoading() {
  return (
    <ListSkeleton
      label="Loading approvals"
      rows={3}
      row={
        <div className="flex flex-col gap-4 p-3">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-16 w-full max-w-160" />
          <Skeleton className="h-8 w-72" />
        </div>
      }
    />
  )
}
