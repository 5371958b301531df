'use client'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { visibleText } from '@/lib/words/clean-text'
import { cn } from './cn'
import { IconButton } from './icon-button'
import { useReturnFocus } from './use-return-focus'

export const DialogClose = Radix.Close

/**
 * Shows a modal dialog. Its title may contain names that people typed. `footer` holds the buttons, the safe one first.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  stays = false,
  className,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
  /** For content that is shown once: only a button of the footer closes it, not Escape or a click outside. */
  stays?: boolean
  className?: string
}) {
  const returnFocus = useReturnFocus(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {/* The same z-index as the content, so that a dialog over another one dims that one too. */}
        <Radix.Overlay className="fixed inset-0 z-50 animate-appear bg-black/40" />
        <Radix.Content
          onCloseAutoFocus={returnFocus}
          {...(description ? {} : { 'aria-describedby': undefined })}
          {...(stays && { onEscapeKeyDown: keepOpen, onInteractOutside: keepOpen })}
          className={cn(
            'fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 animate-appear flex-col overflow-hidden rounded-md border bg-surface-1 shadow-float',
            className,
          )}
        >
          <Radix.Title className="pt-4 pr-12 pl-4 text-lg">{visibleText(title)}</Radix.Title>
          <div className="flex flex-col gap-3 overflow-y-auto px-4 pt-1 pb-4">
            {description && (
              <Radix.Description asChild>
                <div className="text-muted">{description}</div>
              </Radix.Description>
            )}
            {children}
          </div>
          {footer && (
            // Buttons that name a thing with a long name wrap.
            <div className="flex flex-wrap justify-end gap-2 border-t bg-surface-2 px-4 py-3 [&>button]:h-auto [&>button]:min-h-8 [&>button]:py-1 [&>button]:max-w-full [&>button]:shrink [&>button]:whitespace-normal [&>button]:[overflow-wrap:anywhere] [&>button]:pointer-coarse:min-h-10">
              {footer}
            </div>
          )}
          {/* Last in order, so that focus starts at the first field. */}
          {!stays && (
            <Radix.Close asChild>
              <IconButton label="Close" size="sm" className="absolute top-3 right-3">
                <X aria-hidden />
              </IconButton>
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function keepOpen(event: Event): void {
  event.preventDefault()
}
