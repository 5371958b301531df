'use client'
import { BookOpen, ClipboardPaste } from 'lucide-react'
import { useState } from 'react'
import type { ReferenceChoices } from '@/components/resource/resource-form'
import { Button } from '@/components/ui/button'
import { MoreMenu } from '@/components/ui/more-menu'
import { KnownServers } from './known-servers'
import { PasteConfig } from './paste-config'
import { NewServerButton } from './server-form'

const shortcuts = [
  { key: 'known', label: 'Pick a known server', icon: BookOpen },
  { key: 'paste', label: 'Paste an mcp.json', icon: ClipboardPaste },
] as const

/** Shows the button that adds a server, and the shortcuts that fill in its form. On a phone, the shortcuts stand in a menu. */
export function AddServer({ choices }: { choices: ReferenceChoices }) {
  const [open, setOpen] = useState<'known' | 'paste' | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      {shortcuts.map(({ key, label, icon: Icon }) => (
        <Button key={key} className="max-sm:hidden" onClick={() => setOpen(key)}>
          <Icon className="size-4" aria-hidden />
          {label}
        </Button>
      ))}
      <NewServerButton choices={choices} />
      <span className="sm:hidden">
        <MoreMenu
          entries={shortcuts.map(({ key, ...entry }) => ({
            ...entry,
            onSelect: () => setOpen(key),
          }))}
        />
      </span>
      {open === 'known' && <KnownServers choices={choices} onClose={close} />}
      {open === 'paste' && <PasteConfig onClose={close} />}
    </>
  )
}
