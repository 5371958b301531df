import { ListSkeleton } from '@/components/ui/list-skeleton'
import { Skeleton } from '@/components/ui/skeleton'

export default function AuditLoading() {
  return (
    <ListSkeleton
      label="Loading the audit"
      rows={10}
      row={
        <div className="flex h-16 items-center gap-6 px-3">
          <Skeleton className="h-3.5 w-40" />
          <Skeleton className="h-3.5 max-w-72 flex-1" />
          <Skeleton className="h-3.5 w-24" />
        </div>
      }
    />
  )
}
