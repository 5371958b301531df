import { Skeleton } from '@/components/ui/skeleton'

const rows = Array.from({ length: 8 }, (_, index) => `row-${index}`)

export default function ToolsLoading() {
  return (
    <div role="status" className="flex flex-col gap-4 p-4 md:p-6">
      <span className="sr-only">Loading tools</span>
      <div className="flex h-12 flex-col justify-center gap-2">
        <Skeleton className="h-6 w-24" />
        <Skeleton className="h-4 w-full max-w-120" />
      </div>
      <Skeleton className="h-8 w-full max-w-200" />
      <div className="divide-y rounded-md border bg-surface-1">
        {rows.map((row) => (
          <div key={row} className="flex h-14 items-center justify-between gap-8 px-3">
            <div className="flex flex-1 flex-col gap-2">
              <Skeleton className="h-3.5 w-36" />
              <Skeleton className="h-3 w-full max-w-100" />
            </div>
            <Skeleton className="h-5 w-9 rounded-full" />
          </div>
        ))}
      </div>
    </div>
  )
}
