import { ListSkeleton } from '@/components/ui/list-skeleton'
import { Skeleton } from '@/components/ui/skeleton'

export default function BudgetsLoading() {
  return (
    <ListSkeleton
      label="Loading budgets"
      rows={6}
      row={
        <div className="flex h-13 items-center gap-6 px-3">
          <Skeleton className="h-5 w-9 rounded-full" />
          <Skeleton className="h-3.5 w-48" />
          <Skeleton className="h-3.5 max-w-96 flex-1" />
        </div>
      }
    />
  )
}
