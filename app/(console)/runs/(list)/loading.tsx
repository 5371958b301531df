import { Skeleton } from '@/components/ui/skeleton'

const rows = Array.from({ length: 10 }, (_, index) => `row-${index}`)

export default function RunsLoading() {
  return (
    <div role="status" className="flex flex-col gap-4 p-4 md:p-6">
      <span className="sr-only">Loading runs</span>
      <div className="flex h-12 flex-col justify-center gap-2">
        <Skeleton className="h-6 w-24" />
        <Skeleton className="h-4 w-full max-w-120" />
      </div>
      <Skeleton className="h-8 w-full max-w-200" />
      <div className="divide-y rounded-md border bg-surface-1">
        {rows.map((row) => (
          <div key={row} className="flex h-9.5 items-center gap-6 px-3">
            <Skeleton className="h-5 w-24 rounded-full" />
            <Skeleton className="h-3.5 max-w-96 flex-1" />
            <Skeleton className="h-3.5 w-32" />
          </div>
        ))}
      </div>
    </div>
  )
}
