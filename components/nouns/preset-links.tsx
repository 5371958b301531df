import Link from 'next/link'
import { cn } from '@/components/ui/cn'

type Shown = { id: string; label: string; hint: string }

/** Shows known providers as links. `other`: what the link to a server of one's own says; left out = there is none. */
export function PresetLinks({
  presets,
  chosen,
  href,
  other,
}: {
  presets: readonly Shown[]
  chosen: string | null
  href: (id: string) => string
  other?: string
}) {
  const own = { id: 'other', label: 'Other server', hint: other ?? '' }
  const shown = other === undefined ? presets : [...presets, own]
  return (
    <nav aria-label="Known providers">
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3 xl:grid-cols-4">
        {shown.map(({ id, label, hint }) => (
          <li key={id}>
            <Link
              href={href(id)}
              aria-current={id === chosen ? 'true' : undefined}
              className={cn(
                'flex h-full flex-col rounded-md border bg-surface-1 px-3 py-2 transition-colors hover:bg-surface-2',
                id === chosen && 'border-accent bg-surface-2',
              )}
            >
              <span className="font-medium text-strong">{label}</span>
              <span className="text-muted text-sm">{hint}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
