import { Skeleton } from '@/components/ui/skeleton'

export default function EditLoading() {
  return (
    <div role="status" className="flex max-w-160 flex-col gap-6 p-4 md:p-6">
      <span className="sr-only">Loading the form</span>
      <Skeleton className="h-7 w-64" />
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-48 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  )
}
