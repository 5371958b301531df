'use client'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { useReaderRole } from '@/components/trace/reader-role'
import { cn } from '@/components/ui/cn'
import { formatCount } from '@/lib/words/format'
import { destinationAt, tabsAt } from './destinations'
import { type Badge, useBadges } from './pending-approvals'

/** Shows links between the pages that belong together, on each of these. */
export function PageTabs() {
  const pathname = usePathname()
  const tabs = tabsAt(pathname, useReaderRole())
  const badges = useBadges()
  const current = useRef<HTMLLIElement>(null)
  // External system: the scroll position of the strip, which is narrower than its tabs on a phone.
  useEffect(() => {
    const tab = current.current
    const strip = tab?.parentElement
    if (!strip || !pathname) return
    const before = tab.offsetLeft - strip.offsetLeft
    strip.scrollLeft = before - (strip.clientWidth - tab.offsetWidth) / 2
  }, [pathname])
  if (tabs.length === 0) return null
  return (
    <nav aria-label={`Pages of ${destinationAt(pathname)?.label}`} className="border-b">
      <ul className="fade-edges -mb-px flex gap-4 overflow-x-auto">
        {tabs.map(({ tab, href }) => (
          <li key={href} ref={href === pathname ? current : null} className="shrink-0">
            <Link
              href={href}
              aria-current={href === pathname ? 'page' : undefined}
              className={cn(
                'inline-flex h-9 items-center gap-1.5 border-b-2 transition-colors pointer-coarse:h-11',
                href === pathname
                  ? 'border-link font-medium text-strong'
                  : 'border-transparent text-muted hover:text-strong',
              )}
            >
              {tab}
              <Waiting badge={badges.get(href)} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Waiting({ badge }: { badge: Badge | undefined }) {
  if (!badge) return null
  return (
    <span
      title={badge.words}
      className="numeric rounded-full bg-waiting px-1.5 font-medium text-surface-1 text-xs"
    >
      <span aria-hidden>{formatCount(badge.count)}</span>
      <span className="sr-only"> {badge.words}</span>
    </span>
  )
}
