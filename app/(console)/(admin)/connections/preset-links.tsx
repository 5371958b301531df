import Link from 'next/link'
import { cn } from '@/components/ui/cn'
import { connectionPresets } from '@/lib/domains/connections/presets'

/** Shows the known providers. Picking one fills the form. */
export function PresetLinks({ chosen }: { chosen: string | null }) {
  return (
    <nav aria-label="Known providers">
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3 xl:grid-cols-4">
        {connectionPresets.map(({ id, label, hint }) => (
          <li key={id}>
            <Link
              href={`/connections/new?preset=${id}`}
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
