import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Section } from '@/components/ui/section'
import type { ConfigurationUser } from '@/lib/connections/connection-users'

/** What stops working without it. */
export function UsersSection({ configurations }: { configurations: ConfigurationUser[] }) {
  return (
    <Section title="Used by">
      {configurations.length === 0 && <p className="text-muted">No configuration uses it.</p>}
      {configurations.length > 0 && (
        <ul className="max-w-3xl divide-y rounded-md border bg-surface-1">
          {configurations.map(({ id, name, enabled, primary }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
              <Link
                href={`/configurations/${id}`}
                className="text-link [overflow-wrap:anywhere] hover:underline"
              >
                <VisibleText text={name} />
              </Link>
              <span className="text-muted text-sm">{primary ? 'main model' : 'fallback'}</span>
              {!enabled && <Badge>Off</Badge>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
