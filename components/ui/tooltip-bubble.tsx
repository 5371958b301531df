'use client'
import { DismissableLayer, Popper } from 'radix-ui/internal'
import { type ReactNode, type RefObject, useEffect } from 'react'
import { createPortal } from 'react-dom'

export type TooltipBubbleProps = {
  id: string
  anchor: RefObject<HTMLElement | null>
  side: 'top' | 'right' | 'bottom' | 'left'
  onPointerEnter: () => void
  onPointerLeave: () => void
  /** Escape was pressed, or the element was scrolled away. */
  onClose: () => void
  children: ReactNode
}

/** Shows the words of a tooltip beside its element. The pointer may rest on them. */
export function TooltipBubble({ anchor, onClose, children, ...props }: TooltipBubbleProps) {
  // External system: the scroll positions of what is around the element.
  useEffect(() => {
    const scrolled = ({ target }: Event) => {
      if (target instanceof Node && target.contains(anchor.current)) onClose()
    }
    window.addEventListener('scroll', scrolled, { capture: true })
    return () => window.removeEventListener('scroll', scrolled, { capture: true })
  }, [anchor, onClose])
  return createPortal(
    <Popper.Root>
      <Popper.Anchor virtualRef={anchor} />
      <DismissableLayer.Root
        asChild
        onFocusOutside={(event) => event.preventDefault()}
        onDismiss={onClose}
      >
        <Popper.Content
          role="tooltip"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-72 animate-appear rounded-md bg-strong px-2 py-1 text-surface-1 text-xs shadow-float"
          {...props}
        >
          {children}
        </Popper.Content>
      </DismissableLayer.Root>
    </Popper.Root>,
    document.body,
  )
}
