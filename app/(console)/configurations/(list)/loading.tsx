import { ListSkeleton } from '@/components/ui/list-skeleton'
import { Skeleton } from '@/components/ui/skeleton'

export default function ConfigurationsLoading() {
  return (
    <ListSkeleton
      label="Loading configurations"
      rows={5}
      row={
        <div className="flex h-14 items-center justify-between gap-8 px-3">
          <Skeleton className="h-4 w-48" />
          <Skeleton className="h-4 w-64 max-w-full" />
        </div>
      }
    />
  )
}
