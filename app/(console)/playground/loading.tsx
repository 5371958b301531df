import { Skeleton } from '@/components/ui/skeleton'

export default function PlaygroundLoading() {
  return (
    <div role="status" className="flex flex-col lg:flex-row">
      <span className="sr-only">Loading the Playground</span>
      <div className="flex flex-col gap-4 border-b p-4 lg:h-[calc(100dvh-3rem)] lg:w-80 lg:border-r lg:border-b-0">
        <Skeleton className="h-8 w-full" />
        <Skeleton className="hidden h-64 w-full lg:block" />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-4 md:px-6">
        <Skeleton className="h-32 w-full" />
        <Skeleton className="h-48 w-full" />
      </div>
    </div>
  )
}
