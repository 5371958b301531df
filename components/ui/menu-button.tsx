'use client'
import { Slot } from 'radix-ui'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react'
import { lazyPart } from './lazy-part'
import type { MenuListProps } from './menu-list'

const MenuList = lazyPart(async () => (await import('./menu-list')).MenuList)

type Props = Pick<MenuListProps, 'entries' | 'head' | 'foot' | 'align'> & {
  /** The button's id, where one made by React may differ between server and browser. */
  id?: string
  /** The button. */
  children: ReactNode
}

/**
 * Opens a menu under a button. Most visits open none, so its code is loaded when somebody points at the button. While
 * it is open, assistive technology can still read the rest of the page.
 */
export function MenuButton({ id, children, ...list }: Props) {
  const ownId = useId()
  const anchor = useRef<HTMLElement>(null)
  const [open, setOpen] = useState(false)
  // It stays mounted while it closes, so that the focus returns.
  const [wanted, setWanted] = useState(false)
  const [byKeyboard, setByKeyboard] = useState(false)
  const turn = (next: boolean, keyboard: boolean) => {
    setOpen(next)
    setByKeyboard(keyboard)
    if (next) setWanted(true)
  }
  const press = (event: PointerEvent) => {
    if (event.button !== 0 || event.ctrlKey) return
    // Otherwise the button would take the focus from the menu that opens.
    if (!open) event.preventDefault()
    turn(!open, false)
  }
  const type = (event: KeyboardEvent) => {
    if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return
    event.preventDefault()
    turn(event.key === 'ArrowDown' || !open, true)
  }
  return (
    <>
      <Slot.Root
        id={id ?? ownId}
        ref={anchor}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerDown={press}
        onKeyDown={type}
        {...MenuList.soon}
      >
        {children}
      </Slot.Root>
      {wanted && (
        <MenuList
          {...list}
          open={open}
          onClose={() => setOpen(false)}
          byKeyboard={byKeyboard}
          anchor={anchor}
          labelledBy={id ?? ownId}
        />
      )}
    </>
  )
}
