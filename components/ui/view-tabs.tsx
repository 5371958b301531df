import Link from 'next/link'
import { cn } from './cn'

type View = { label: string; href: string }

/** Shows links between pages that are views of one thing. `label` says of what. */
export function ViewTabs({
  label,
  views,
  current,
}: {
  label: string
  views: readonly View[]
  /** The address of the view that is shown. */
  current: string
}) {
  return (
    <nav aria-label={label} className="border-b">
      <ul className="-mb-px flex gap-4 overflow-x-auto">
        {views.map(({ label, href }) => (
          <li key={href} className="shrink-0">
            <Link
              href={href}
              aria-current={href === current ? 'page' : undefined}
              className={cn(
                'inline-flex h-9 items-center border-b-2 transition-colors pointer-coarse:h-11',
                href === current
                  ? 'border-link font-medium text-strong'
                  : 'border-transparent text-muted hover:text-strong',
              )}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
