import { ListSkeleton } from '@/components/ui/list-skeleton'
import { Skeleton } from '@/components/ui/skeleton'

export default function ModelsLoading() {
  return (
    <ListSkeleton
      label="Loading models"
      rows={6}
      row={
        <div className="flex h-14 items-center justify-between gap-8 px-3">
          <div className="flex flex-col gap-2">
            <Skeleton className="h-3.5 w-40" />
            <Skeleton className="h-3 w-28" />
          </div>
          <Skeleton className="h-4 w-72 max-w-full" />
        </div>
      }
    />
  )
}
