import { Skeleton } from '@/components/ui/skeleton'

export default function ModelLoading() {
  return (
    <div role="status" className="flex flex-col gap-6 p-4 md:p-6">
      <span className="sr-only">Loading the model</span>
      <Skeleton className="h-7 w-64" />
      <Skeleton className="h-40 w-full max-w-200" />
      <Skeleton className="h-48 w-full" />
    </div>
  )
}
