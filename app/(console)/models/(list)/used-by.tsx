import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import type { ModelUse } from '@/lib/models/schemas'

const shown = 2

export function UsedBy({ uses }: { uses: readonly ModelUse[] }) {
  if (uses.length === 0) return <span className="text-muted">Nothing</span>
  return (
    <>
      {uses.slice(0, shown).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link
            href={`/configurations/${id}`}
            className="text-link underline-offset-2 [overflow-wrap:anywhere] hover:underline"
          >
            <VisibleText text={name} />
          </Link>
        </span>
      ))}
      {uses.length > shown && ` and ${uses.length - shown} more`}
    </>
  )
}
