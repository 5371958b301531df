'use client'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { Logo } from '@/components/shell/logo'
import { remember } from '@/components/shell/remember'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import type { Role } from '@/lib/protocol/tool'
import { Navigation } from './navigation'
import { railCookie } from './rail-cookie'

/** Shows the left rail of wide screens. A cookie remembers whether it is collapsed. */
export function Rail({ role, initiallyCollapsed }: { role: Role; initiallyCollapsed: boolean }) {
  const [collapsed, setCollapsed] = useState(initiallyCollapsed)
  const toggle = () => {
    setCollapsed(!collapsed)
    remember(railCookie, collapsed ? 'open' : 'collapsed')
  }
  return (
    <nav
      aria-label="Pages"
      className={cn(
        'sticky top-0 hidden h-dvh shrink-0 flex-col border-r bg-surface-1 md:flex',
        collapsed ? 'w-12' : 'w-52',
      )}
    >
      <Link
        href="/overview"
        className="flex h-12 shrink-0 items-center gap-2 border-b px-3 font-semibold text-lg text-strong focus-visible:-outline-offset-2"
      >
        <Logo />
        <span className={cn(collapsed && 'sr-only')}>Toolgate</span>
      </Link>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Navigation role={role} collapsed={collapsed} />
      </div>
      <div className="border-t p-2">
        <IconButton
          label={collapsed ? 'Expand navigation' : 'Collapse navigation'}
          tooltipSide="right"
          aria-expanded={!collapsed}
          onClick={toggle}
        >
          {collapsed ? <PanelLeftOpen aria-hidden /> : <PanelLeftClose aria-hidden />}
        </IconButton>
      </div>
    </nav>
  )
}
