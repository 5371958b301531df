'use client'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn'

/** Holds a menu. While it is open, assistive technology can still read the rest of the page. */
export function DropdownMenu(props: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root modal={false} {...props} />
}
export const DropdownMenuTrigger = Radix.Trigger
export const DropdownMenuRadioGroup = Radix.RadioGroup

const itemStyles =
  'flex min-h-8 select-none items-center gap-2 rounded-sm px-2 py-1 text-base text-normal outline-none pointer-coarse:min-h-10 data-disabled:opacity-50 data-highlighted:bg-surface-2 data-highlighted:text-strong [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted'

export function DropdownMenuContent({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        sideOffset={4}
        collisionPadding={8}
        className={cn(
          'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 animate-appear overflow-y-auto rounded-md border bg-surface-1 p-1 shadow-float',
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  )
}

export function DropdownMenuItem({ className, ...props }: ComponentProps<typeof Radix.Item>) {
  return <Radix.Item className={cn(itemStyles, className)} {...props} />
}

export function DropdownMenuRadioItem({
  className,
  ...props
}: ComponentProps<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem
      className={cn(
        itemStyles,
        'data-[state=checked]:bg-running-soft data-[state=checked]:text-running',
        className,
      )}
      {...props}
    />
  )
}

export function DropdownMenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />
}
