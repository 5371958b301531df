import { cn } from './cn'

/** Shows a placeholder without animation. Give it the size of the content that is loading. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('animate-pulse rounded-sm bg-surface-3', className)} />
}
