'use client'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { Fragment, useSyncExternalStore } from 'react'
import { groupBy } from '@/components/group-by'
import {
  addressesOf,
  type Destination,
  destinationAt,
  destinationsAt,
  destinationsFor,
  railPageOf,
} from '@/components/shell/destinations'
import { type Badge, useBadges } from '@/components/shell/pending-approvals'
import { cn } from '@/components/ui/cn'
import { HoverPrefetchLink } from '@/components/ui/hover-prefetch-link'
import { Tooltip } from '@/components/ui/tooltip'
import type { Role } from '@/lib/protocol/tool'
import { formatCount } from '@/lib/words/format'

/** Shows the links to the pages, by section. `collapsed` shows icons only. */
export function Navigation({
  role,
  collapsed = false,
  onNavigate,
}: {
  role: Role
  collapsed?: boolean
  onNavigate?: () => void
}) {
  const here = destinationAt(usePathname())
  const badges = useBadges()
  const sections = groupBy(destinationsFor(role), (destination) => destination.section)
  return (
    <div className="flex flex-col gap-4 p-2">
      {[...sections].map(([section, entries]) => (
        <div key={section}>
          <p className={cn('px-2 pb-1 text-muted text-xs', collapsed && 'sr-only')}>{section}</p>
          <ul className="flex flex-col gap-0.5">
            {entries.map((destination) => (
              <li key={destination.href}>
                <Entry
                  destination={destination}
                  current={destination === here}
                  badge={badgeOf(destination, badges)}
                  collapsed={collapsed}
                  onNavigate={onNavigate}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

/** Returns what waits on a page or on one that belongs to it. */
function badgeOf(destination: Destination, badges: ReadonlyMap<string, Badge>): Badge | null {
  const found = addressesOf(destination).flatMap((href) => badges.get(href) ?? [])
  return found[0] ?? null
}

function Entry({
  destination: { href, label, icon: Icon },
  current,
  badge,
  collapsed,
  onNavigate,
}: {
  destination: Destination
  current: boolean
  badge: Badge | null
  collapsed: boolean
  onNavigate?: () => void
}) {
  const link = (
    <HoverPrefetchLink
      href={href}
      aria-current={current ? 'page' : undefined}
      onClick={onNavigate}
      className={cn(
        'relative flex h-8 items-center gap-2 rounded-md px-2 transition-colors pointer-coarse:h-11',
        current
          ? 'bg-surface-3 font-medium text-strong'
          : 'text-normal hover:bg-surface-2 hover:text-strong',
      )}
    >
      <Icon className={cn('size-4 shrink-0', current ? 'text-link' : 'text-muted')} aria-hidden />
      <span className={cn(collapsed && 'sr-only')}>{label}</span>
      {badge && <Waiting badge={badge} collapsed={collapsed} />}
    </HoverPrefetchLink>
  )
  if (!collapsed && !badge) return link
  return (
    <Tooltip content={badge ? `${label}: ${badge.words}` : label} side="right">
      {link}
    </Tooltip>
  )
}

/** Shows the number in the wide rail and a dot in the collapsed one. */
function Waiting({ badge: { count, words }, collapsed }: { badge: Badge; collapsed: boolean }) {
  return (
    <span
      className={cn(
        'bg-waiting text-surface-1',
        collapsed
          ? 'absolute top-1 right-1 size-2 rounded-full'
          : 'numeric ml-auto rounded-full px-1.5 font-medium text-xs',
      )}
    >
      {!collapsed && <span aria-hidden>{count > 99 ? '99+' : formatCount(count)}</span>}
      <span className="sr-only"> {words}</span>
    </span>
  )
}

/**
 * Shows the section, the pages above as links, and the thing that the page is about: its title before that of the page, as in
 * "Compare the weather · Runs · Toolgate".
 */
export function Breadcrumbs() {
  const pathname = usePathname()
  const title = useSyncExternalStore(watchTitle, readTitle, () => '')
  const places = destinationsAt(pathname)
  const [first, last] = [places[0], places.at(-1)]
  if (!first || !last) return <div className="flex-1" />
  const { section = 'You' } = railPageOf(first) ?? {}
  const rest = ` · ${last.label} · Toolgate`
  const thing = title.endsWith(rest) ? title.slice(0, -rest.length) : null
  return (
    <div className="flex min-w-0 flex-1 items-center gap-1.5">
      {section !== first.label && (
        <span className="hidden shrink-0 text-muted sm:inline">{section}</span>
      )}
      {places.map((place, at) => (
        <Fragment key={place.href}>
          {(at > 0 || section !== first.label) && <Slash />}
          {pathname === place.href ? (
            <span className="truncate font-medium text-strong sm:shrink-0">{place.label}</span>
          ) : (
            <Link
              href={place.href}
              className={cn(
                'truncate font-medium text-link hover:underline sm:shrink-0',
                place !== last && 'hidden sm:inline',
              )}
            >
              {place.label}
            </Link>
          )}
        </Fragment>
      ))}
      {thing !== null && (
        <>
          <Slash />
          <span className="hidden min-w-0 truncate text-strong sm:inline" aria-current="page">
            {thing}
          </span>
        </>
      )}
    </div>
  )
}

function Slash() {
  return (
    <span className="hidden text-muted sm:inline" aria-hidden>
      /
    </span>
  )
}

const readTitle = () => document.title

/** Calls when the document gets another title: Next replaces the element when another page is there. */
function watchTitle(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.head, { childList: true, subtree: true, characterData: true })
  return () => observer.disconnect()
}
