import type { ComponentProps } from 'react'
import { cn } from './cn'

export function Kbd({ className, ...props }: ComponentProps<'kbd'>) {
  return (
    <kbd
      className={cn(
        'inline-flex h-5 min-w-5 items-center justify-center rounded-sm border bg-surface-2 px-1 font-sans text-muted text-xs',
        className,
      )}
      {...props}
    />
  )
}
