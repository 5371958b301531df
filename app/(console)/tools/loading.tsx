import { ListSkeleton } from '@/components/ui/list-skeleton'
import { Skeleton } from '@/components/ui/skeleton'

export default function ToolsLoading() {
  return (
    <ListSkeleton
      label="Loading tools"
      rows={8}
      row={
        <div className="flex h-14 items-center justify-between gap-8 px-3">
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-3.5 w-36" />
            <Skeleton className="h-3 w-full max-w-100" />
          </div>
          <Skeleton className="h-5 w-9 rounded-full" />
        </div>
      }
    />
  )
}
