'use client'
import { Search } from 'lucide-react'
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import type { ToolActions } from '@/components/nouns/use-tool-switch'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { lazyPart, useWhenIdle } from '@/components/ui/lazy-part'
import type { Role } from '@/lib/protocol/tool'
import { useTyped } from './use-typed'

const PaletteDialog = lazyPart(async () => (await import('./palette-dialog')).PaletteDialog)

/** Shows the button of the palette: Ctrl or Cmd + K. The palette itself is loaded once the page is there. */
export function CommandPalette(site: { role: Role; frozen: boolean; toolActions: ToolActions }) {
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  if (open && !wanted) setWanted(true)
  useShortcut(setOpen)
  useWhenIdle(PaletteDialog.prepare)
  const takeTyped = useTyped(open)
  const close = () => {
    setOpen(false)
    setWanted(false)
  }
  return (
    <>
      <Button
        variant="ghost"
        aria-label="Search or run a command"
        aria-keyshortcuts="Control+K Meta+K"
        className="text-muted md:border-line md:pr-1.5"
        onClick={() => setOpen(true)}
        {...PaletteDialog.soon}
      >
        <Search className="size-4" aria-hidden />
        <span className="hidden md:inline">Search…</span>
        <Kbd className="hidden md:inline-flex">Ctrl K</Kbd>
      </Button>
      {wanted && (
        <PaletteDialog
          {...site}
          open={open}
          takeTyped={takeTyped}
          onOpenChange={setOpen}
          onClose={close}
        />
      )}
    </>
  )
}

function useShortcut(setOpen: Dispatch<SetStateAction<boolean>>): void {
  // External system: the keyboard.
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
