'use client'
import { Check, Minus } from 'lucide-react'
import { Checkbox as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn'

/** `checked` is true, false or 'indeterminate' (some of a group). */
export function Checkbox({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      className={cn(
        'group inline-flex size-4 shrink-0 items-center justify-center rounded-sm border border-line-strong bg-surface-1 transition-colors pointer-coarse:size-5 disabled:cursor-not-allowed disabled:opacity-50 data-[state=checked]:border-accent data-[state=indeterminate]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:bg-accent',
        className,
      )}
      {...props}
    >
      <Radix.Indicator className="text-on-accent">
        <Check
          className="size-3 group-data-[state=indeterminate]:hidden"
          strokeWidth={3}
          aria-hidden
        />
        <Minus
          className="hidden size-3 group-data-[state=indeterminate]:block"
          strokeWidth={3}
          aria-hidden
        />
      </Radix.Indicator>
    </Radix.Root>
  )
}
