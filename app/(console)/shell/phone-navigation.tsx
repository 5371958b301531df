'use client'
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '@/components/ui/icon-button'
import { Sheet } from '@/components/ui/sheet'
import type { Role } from '@/lib/protocol/tool'
import { Navigation } from './navigation'

export function PhoneNavigation({ role }: { role: Role }) {
  const [open, setOpen] = useState(false)
  return (
    <div className="md:hidden">
      <IconButton label="Open navigation" tooltipSide="bottom" onClick={() => setOpen(true)}>
        <Menu aria-hidden />
      </IconButton>
      <Sheet open={open} onOpenChange={setOpen} title="Toolgate">
        <nav aria-label="Pages">
          <Navigation role={role} onNavigate={() => setOpen(false)} />
        </nav>
      </Sheet>
    </div>
  )
}
