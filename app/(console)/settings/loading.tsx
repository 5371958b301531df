import { Skeleton } from '@/components/ui/skeleton'

export default function SettingsLoading() {
  return (
    <div role="status" className="flex flex-col gap-6 p-4 md:p-6">
      <span className="sr-only">Loading settings</span>
      <div className="flex h-12 flex-col justify-center gap-2">
        <Skeleton className="h-6 w-24" />
        <Skeleton className="h-4 w-full max-w-120" />
      </div>
      <Skeleton className="h-56 w-full max-w-160" />
    </div>
  )
}
