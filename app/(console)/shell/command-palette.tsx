'use client'
import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { Dialog } from 'radix-ui'
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import { mayLeave } from '@/components/forms/may-leave'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { useReturnFocus } from '@/components/ui/use-return-focus'
import type { Role } from '@/lib/protocol/tool'
import type { ToolListing } from '@/lib/toolset/tool-listing'
import { useToolSwitch } from '../tools/use-tool-switch'
import { placesFor } from './destinations'
import { PaletteItem } from './palette-item'
import { PaletteTasks } from './palette-tasks'
import { PaletteTools } from './palette-tools'

/** Go anywhere, run a task and, for admins, switch a tool: Ctrl or Cmd + K. */
export function CommandPalette({ role }: { role: Role }) {
  const [open, setOpen] = useState(false)
  const router = useRouter()
  const toolSwitch = useToolSwitch()
  const returnFocus = useReturnFocus(open)
  useShortcut(setOpen)
  return (
    <>
      <Button
        variant="ghost"
        aria-label="Go to or switch"
        aria-keyshortcuts="Control+K Meta+K"
        className="text-muted md:border-line md:pr-1.5"
        onClick={() => setOpen(true)}
      >
        <Search className="size-4" aria-hidden />
        <span className="hidden md:inline">Go to or switch…</span>
        <Kbd className="hidden md:inline-flex">Ctrl K</Kbd>
      </Button>
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-black/40" />
          <Dialog.Content
            aria-describedby={undefined}
            onCloseAutoFocus={returnFocus}
            className="-translate-x-1/2 fixed top-[12dvh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl animate-appear overflow-hidden rounded-md border bg-surface-1 shadow-float"
          >
            <Dialog.Title className="sr-only">
              Go to a page, run a task or switch a tool
            </Dialog.Title>
            <Commands
              role={role}
              onGo={(href) => {
                setOpen(false)
                if (mayLeave(href)) router.push(href)
              }}
              onSwitch={(tool) => {
                setOpen(false)
                toolSwitch.flip(tool)
              }}
            />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      {toolSwitch.dialog}
    </>
  )
}

function Commands({
  role,
  onGo,
  onSwitch,
}: {
  role: Role
  onGo: (href: string) => void
  onSwitch: (tool: ToolListing) => void
}) {
  return (
    <Command label="Commands" loop>
      <Command.Input
        placeholder={
          role === 'admin'
            ? 'A page, a task to run, or a tool to switch'
            : 'A page, or a task to run'
        }
        className="h-11 w-full border-b bg-transparent px-4 text-lg text-strong outline-none"
      />
      <Command.List className="max-h-[50dvh] overflow-y-auto p-1">
        <Command.Empty className="p-4 text-center text-muted">No matches</Command.Empty>
        <Command.Group heading="Go to" className={groupStyles}>
          {placesFor(role).map(({ href, label, icon: Icon, section }) => (
            <PaletteItem key={href} icon={Icon} hint={section} onSelect={() => onGo(href)}>
              {label}
            </PaletteItem>
          ))}
        </Command.Group>
        <PaletteTasks className={groupStyles} onGo={onGo} />
        {role === 'admin' && (
          <PaletteTools className={groupStyles} onGo={onGo} onSwitch={onSwitch} />
        )}
      </Command.List>
    </Command>
  )
}

const groupStyles =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs'

function useShortcut(setOpen: Dispatch<SetStateAction<boolean>>): void {
  // Outside system: the keyboard.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [setOpen])
}
