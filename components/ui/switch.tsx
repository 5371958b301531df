'use client'
import { Switch as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn'

/** On or off, at once. Give it a name with `aria-label` or a label; say the word beside it. */
export function Switch({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      className={cn(
        'inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-line-strong bg-surface-3 transition-colors disabled:cursor-not-allowed disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent',
        className,
      )}
      {...props}
    >
      <Radix.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-line-strong transition-transform data-[state=checked]:translate-x-4.5 data-[state=checked]:bg-on-accent" />
    </Radix.Root>
  )
}
