'use client'
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { useBadges } from '@/components/shell/pending-approvals'
import { IconButton } from '@/components/ui/icon-button'
import { Sheet } from '@/components/ui/sheet'
import type { Role } from '@/lib/protocol/tool'
import { Navigation } from './navigation'

export function PhoneNavigation({ role }: { role: Role }) {
  const [open, setOpen] = useState(false)
  const badges = useBadges()
  const waiting = [...badges.values()].map(({ words }) => words).join(' and ')
  return (
    <div className="md:hidden">
      <IconButton
        label={waiting === '' ? 'Open navigation' : `Open navigation, ${waiting}`}
        tooltipSide="bottom"
        className="relative"
        onClick={() => setOpen(true)}
      >
        <Menu aria-hidden />
        {waiting !== '' && (
          <span className="absolute top-1 right-1 size-2 rounded-full bg-waiting" />
        )}
      </IconButton>
      <Sheet open={open} onOpenChange={setOpen} title="Toolgate">
        <nav aria-label="Pages">
          <Navigation role={role} onNavigate={() => setOpen(false)} />
        </nav>
      </Sheet>
    </div>
  )
}
