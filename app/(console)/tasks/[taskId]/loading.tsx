import { Skeleton } from '@/components/ui/skeleton'

export default function TaskLoading() {
  return (
    <div role="status" className="flex flex-col gap-6 p-4 md:p-6">
      <span className="sr-only">Loading the task</span>
      <Skeleton className="h-12 w-80 max-w-full" />
      <div className="grid gap-8 grid-cols-[minmax(0,1fr)] xl:grid-cols-[minmax(0,40rem)_minmax(0,1fr)]">
        <Skeleton className="h-160 w-full" />
        <Skeleton className="h-64 w-full" />
      </div>
    </div>
  )
}
