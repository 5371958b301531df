'use client'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from './cn'
import { IconButton } from './icon-button'
import { useReturnFocus } from './use-return-focus'

/** Shows a panel at the side, over the page. */
export function Sheet({
  open,
  onOpenChange,
  title,
  side = 'left',
  children,
  className,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  side?: 'left' | 'right'
  children: ReactNode
  className?: string
  /** Only for when it cannot be loaded. */
  onClose?: () => void
}) {
  const returnFocus = useReturnFocus(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-black/40" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focusPanel}
          onCloseAutoFocus={returnFocus}
          className={cn(
            'fixed inset-y-0 z-50 flex w-80 max-w-[calc(100vw-3rem)] animate-appear flex-col bg-surface-1 shadow-float outline-none',
            side === 'left' ? 'left-0 border-r' : 'right-0 border-l',
            className,
          )}
        >
          <div className="flex h-12 shrink-0 items-center justify-between gap-2 border-b pr-2 pl-4">
            <Radix.Title className="text-lg">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close" size="sm">
                <X aria-hidden />
              </IconButton>
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

// Otherwise the close button would get the focus, and its tooltip would cover the panel.
function focusPanel(event: Event): void {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}
