'use client'
import { Tooltip as Radix } from 'radix-ui'
import type { FocusEvent, ReactNode } from 'react'

/** Rendered once, in the root layout. */
export const TooltipProvider = Radix.Provider

/** Shows a tooltip for the element under the pointer or focus. No fact may stand only in a tooltip. */
export function Tooltip({
  content,
  side = 'top',
  children,
}: {
  content: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
  children: ReactNode
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild onFocus={notAfterPointer}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-72 animate-appear rounded-md bg-strong px-2 py-1 text-surface-1 text-xs shadow-float"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

// No tooltip when a closing dialog returns the focus after a click.
function notAfterPointer(event: FocusEvent): void {
  if (!event.currentTarget.matches(':focus-visible')) event.preventDefault()
}
