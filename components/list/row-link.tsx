import type { ComponentProps } from 'react'
import { cn } from '@/components/ui/cn'
import { HoverPrefetchLink } from '@/components/ui/hover-prefetch-link'

/** Shows the name in a table row, as a link to its page. */
export function RowLink({ className, ...props }: ComponentProps<typeof HoverPrefetchLink>) {
  return <HoverPrefetchLink className={cn('row-link', className)} {...props} />
}

/** Shows the name in a card. The whole card is the link; other controls must be above it (`relative z-10`). */
export function CardLink({ className, ...props }: ComponentProps<typeof HoverPrefetchLink>) {
  return (
    <HoverPrefetchLink
      className={cn(
        'min-w-0 text-strong [overflow-wrap:anywhere] after:absolute after:inset-0',
        className,
      )}
      {...props}
    />
  )
}
