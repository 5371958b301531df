import { Skeleton } from '@/components/ui/skeleton'

const tiles = ['cost', 'tokens', 'requests', 'runs', 'latency', 'errors']

export default function UsageLoading() {
  return (
    <div role="status" aria-label="Loading usage" className="flex flex-col gap-6 p-4 md:p-6">
      <Skeleton className="h-12 w-full max-w-lg" />
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
        {tiles.map((tile) => (
          <Skeleton key={tile} className="h-24" />
        ))}
      </div>
      <Skeleton className="h-80" />
      <Skeleton className="h-64" />
    </div>
  )
}
