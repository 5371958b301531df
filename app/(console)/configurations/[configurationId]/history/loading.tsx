import { Skeleton } from '@/components/ui/skeleton'

export default function HistoryLoading() {
  return (
    <div role="status" className="flex max-w-300 flex-col gap-6 p-4 md:p-6">
      <span className="sr-only">Loading the history</span>
      <Skeleton className="h-7 w-64" />
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-48 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  )
}
