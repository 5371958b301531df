'use client'
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '@/components/ui/icon-button'
import { Sheet } from '@/components/ui/sheet'
import { countOf } from '@/lib/protocol/format'
import type { Role } from '@/lib/protocol/tool'
import { Navigation } from './navigation'
import { usePendingApprovals } from './pending-approvals'

export function PhoneNavigation({ role }: { role: Role }) {
  const [open, setOpen] = useState(false)
  const { count, alerts } = usePendingApprovals()
  const waiting = [
    ...(count > 0 ? [countOf(count, 'approval')] : []),
    ...(alerts > 0 ? [countOf(alerts, 'alert')] : []),
  ].join(' and ')
  return (
    <div className="md:hidden">
      <IconButton
        label={waiting === '' ? 'Open navigation' : `Open navigation, ${waiting} waiting`}
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
