'use client'
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { useBadges } from '@/components/shell/pending-approvals'
import { IconButton } from '@/components/ui/icon-button'
import { lazyPart } from '@/components/ui/lazy-part'
import type { Role } from '@/lib/protocol/tool'
import { Navigation } from './navigation'

const Sheet = lazyPart(async () => (await import('@/components/ui/sheet')).Sheet)

export function PhoneNavigation({ role }: { role: Role }) {
  const [open, setOpen] = useState(false)
  // It stays mounted while it closes, so that the focus returns.
  const [wanted, setWanted] = useState(false)
  if (open && !wanted) setWanted(true)
  const close = () => {
    setOpen(false)
    setWanted(false)
  }
  const badges = useBadges()
  const waiting = [...badges.values()].map(({ words }) => words).join(' and ')
  return (
    <div className="md:hidden">
      <IconButton
        label={waiting === '' ? 'Open navigation' : `Open navigation, ${waiting}`}
        tooltipSide="bottom"
        className="relative"
        onClick={() => setOpen(true)}
        {...Sheet.soon}
      >
        <Menu aria-hidden />
        {waiting !== '' && (
          <span className="absolute top-1 right-1 size-2 rounded-full bg-waiting" />
        )}
      </IconButton>
      {wanted && (
        <Sheet open={open} onOpenChange={setOpen} onClose={close} title="Toolgate">
          <nav aria-label="Pages">
            <Navigation role={role} onNavigate={() => setOpen(false)} />
          </nav>
        </Sheet>
      )}
    </div>
  )
}
