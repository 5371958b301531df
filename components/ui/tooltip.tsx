'use client'
import { Slot } from 'radix-ui'
import {
  type ComponentType,
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import type { TooltipBubbleProps } from './tooltip-bubble'

/** Time that the pointer rests before a tooltip is shown, and time away before it is hidden. */
const restMs = 300
const awayMs = 150

/** Hides the tooltip that is shown: there is never more than one. */
let hideOther = () => {}

/**
 * Shows a tooltip for the element under the pointer or focus. No fact may stand only in a tooltip. Pages have many and
 * most are never seen, so its code is loaded when one is shown for the first time.
 */
export function Tooltip({
  content,
  side = 'top',
  children,
}: {
  content: ReactNode
  side?: TooltipBubbleProps['side']
  children: ReactNode
}) {
  const id = useId()
  const anchor = useRef<HTMLElement>(null)
  const { Bubble, soon, hide, isOver } = useBubble()
  const enter = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'touch' || isOver.current) return
    isOver.current = true
    soon(true, restMs)
  }
  const leave = () => {
    isOver.current = false
    soon(false, awayMs)
  }
  // No tooltip when a closing dialog returns the focus after a click.
  const focus = (event: FocusEvent) => {
    if (event.currentTarget.matches(':focus-visible')) soon(true, 0)
  }
  return (
    <>
      <Slot.Root
        ref={anchor}
        aria-describedby={Bubble ? id : undefined}
        onPointerMove={enter}
        onPointerLeave={leave}
        onPointerDown={hide}
        onClick={hide}
        onFocus={focus}
        onBlur={hide}
      >
        {children}
      </Slot.Root>
      {Bubble && (
        <Bubble
          id={id}
          anchor={anchor}
          side={side}
          onPointerEnter={() => soon(true, 0)}
          onPointerLeave={leave}
          onClose={hide}
        >
          {content}
        </Bubble>
      )}
    </>
  )
}

/** Returns what shows the tooltip, null = hidden, and functions that change it at once or soon. */
function useBubble() {
  const [Bubble, setBubble] = useState<ComponentType<TooltipBubbleProps> | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isOver = useRef(false)
  const [hide] = useState(() => () => {
    clearTimeout(timer.current)
    timer.current = undefined
    setBubble(null)
  })
  const show = async (mine: typeof timer.current) => {
    try {
      const { TooltipBubble } = await import('./tooltip-bubble')
      if (timer.current !== mine) return
      if (hideOther !== hide) hideOther()
      hideOther = hide
      setBubble(() => TooltipBubble)
    } catch {
      // The server is down. What a tooltip says stands elsewhere, too.
    }
  }
  const soon = (shown: boolean, afterMs: number) => {
    clearTimeout(timer.current)
    const mine = setTimeout(() => (shown ? void show(mine) : hide()), afterMs)
    timer.current = mine
  }
  // External system: the clock, which would show the tooltip of an element that is gone.
  useEffect(() => () => clearTimeout(timer.current), [])
  return { Bubble, soon, hide, isOver }
}
