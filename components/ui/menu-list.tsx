'use client'
import type { LucideIcon } from 'lucide-react'
import { Menu } from 'radix-ui/internal'
import { type FocusEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'

export type MenuEntry = {
  label: string
  icon: LucideIcon
  onSelect: () => void
  disabled?: boolean
  /** The id of what says why it is disabled. */
  describedBy?: string
  /** Marks the current choice of a menu that picks one. */
  isChecked?: boolean
}

export type MenuListProps = {
  /** null = a line between two entries, false = no entry. */
  entries: readonly (MenuEntry | null | false)[]
  /** Content above and below the entries. */
  head?: ReactNode
  foot?: ReactNode
  align?: 'start' | 'end'
  open: boolean
  onClose: () => void
  /** True = the first entry gets the focus. */
  byKeyboard: boolean
  anchor: RefObject<HTMLElement | null>
  labelledBy: string
}

/** Shows the entries of a menu beside its button, to which the focus returns unless something else was clicked. */
export function MenuList({
  entries,
  head,
  foot,
  align,
  open,
  onClose,
  byKeyboard,
  anchor,
  labelledBy,
}: MenuListProps) {
  const clickedOutside = useRef(false)
  const isFirstFocus = useRef(false)
  useLayoutEffect(() => {
    if (open) clickedOutside.current = false
    isFirstFocus.current = open && byKeyboard
  }, [open, byKeyboard])
  // Radix knows whether the keyboard is in use only once it is loaded.
  const focusFirst = ({ currentTarget }: FocusEvent<HTMLElement>) => {
    if (!isFirstFocus.current) return
    isFirstFocus.current = false
    currentTarget.querySelector<HTMLElement>('[role^=menuitem]:not([data-disabled])')?.focus()
  }
  const returnFocus = (event: Event) => {
    event.preventDefault()
    if (!clickedOutside.current) anchor.current?.focus()
  }
  return (
    <Menu.Root modal={false} open={open} onOpenChange={(next) => !next && onClose()}>
      <Menu.Anchor virtualRef={anchor} />
      <Menu.Portal>
        <Menu.Content
          aria-labelledby={labelledBy}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onFocus={focusFirst}
          onCloseAutoFocus={returnFocus}
          onInteractOutside={() => {
            clickedOutside.current = true
          }}
          className="z-50 max-h-(--radix-popper-available-height) min-w-44 max-w-72 animate-appear overflow-y-auto rounded-md border bg-surface-1 p-1 shadow-float"
        >
          {head}
          {entries.map((entry, at) =>
            entry === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name
              <Menu.Separator key={at} className="-mx-1 my-1 h-px bg-line" />
            ) : (
              entry && <Entry key={entry.label} entry={entry} />
            ),
          )}
          {foot}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  const { label, icon: Icon, onSelect, disabled, describedBy, isChecked } = entry
  const isRadio = isChecked !== undefined
  return (
    <Menu.Item
      {...(isRadio && { role: 'menuitemradio', 'aria-checked': isChecked })}
      disabled={disabled}
      onSelect={onSelect}
      aria-describedby={describedBy}
      className="flex min-h-8 select-none items-center gap-2 rounded-sm px-2 py-1 text-base text-normal outline-none aria-checked:bg-running-soft aria-checked:text-running pointer-coarse:min-h-10 data-disabled:opacity-50 data-highlighted:bg-surface-2 data-highlighted:text-strong [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted"
    >
      <Icon aria-hidden />
      {label}
    </Menu.Item>
  )
}
