'use client'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useReaderRole } from '@/components/trace/reader-role'
import { cn } from '@/components/ui/cn'
import { tabsAt } from './destinations'
import { useBadges } from './pending-approvals'

/** Shows links between the pages that belong together, on each of these. */
export function PageTabs() {
  const pathname = usePathname()
  const tabs = tabsAt(pathname, useReaderRole())
  const badges = useBadges()
  if (tabs.length === 0) return null
  return (
    <nav aria-label="Tabs" className="border-b">
      <ul className="-mb-px flex gap-4 overflow-x-auto">
        {tabs.map(({ tab, href }) => (
          <li key={href} className="shrink-0">
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
              {badges.has(href) && (
                <span className="size-2 rounded-full bg-waiting">
                  <span className="sr-only"> {badges.get(href)?.words}</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
