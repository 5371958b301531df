import { Skeleton } from '@/components/ui/skeleton'

export default function AccountLoading() {
  return (
    <div role="status" className="mx-auto flex max-w-3xl flex-col gap-6 p-4 md:p-6">
      <span className="sr-only">Loading your account</span>
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-14 w-full" />
      <Skeleton className="h-44 w-full" />
      <Skeleton className="h-28 w-full" />
    </div>
  )
}
