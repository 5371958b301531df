import { Skeleton } from '@/components/ui/skeleton'

export default function SkillLoading() {
  return (
    <div role="status" className="mx-auto flex max-w-5xl flex-col gap-4 p-4 md:p-6">
      <span className="sr-only">Loading the skill</span>
      <Skeleton className="h-12 w-80 max-w-full" />
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  )
}
