'use client'
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { countOf } from '@/components/trace/count-of'
import { IconButton } from '@/components/ui/icon-button'
import { Sheet } from '@/components/ui/sheet'
import type { Role } from '@/lib/protocol/tool'
import { Navigation } from './navigation'
import { usePendingApprovals } from './pending-approvals'

export function PhoneNavigation({ role }: { role: Role }) {
  const [open, setOpen] = useState(false)
  const { count: calls, alerts } = usePendingApprovals()
  const count = calls + alerts
  return (
    <div className="md:hidden">
      <IconButton
        label={
          count > 0 ? `Open navigation, ${countOf(count, 'approval')} waiting` : 'Open navigation'
        }
        tooltipSide="bottom"
        className="relative"
        onClick={() => setOpen(true)}
      >
        <Menu aria-hidden />
        {count > 0 && <span className="absolute top-1 right-1 size-2 rounded-full bg-waiting" />}
      </IconButton>
      <Sheet open={open} onOpenChange={setOpen} title="Toolgate">
        <nav aria-label="Pages">
          <Navigation role={role} onNavigate={() => setOpen(false)} />
        </nav>
      </Sheet>
    </div>
  )
}
