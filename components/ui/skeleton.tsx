import { cn } from './cn'

/** A still place for something that is on its way; give it the size of what will come. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('animate-pulse rounded-sm bg-surface-3', className)} />
}
