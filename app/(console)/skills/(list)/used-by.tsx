import Link from 'next/link'
import type { SkillListing } from '@/lib/skills/schemas'

const shown = 3

export function UsedBy({ configurations }: Pick<SkillListing, 'configurations'>) {
  if (configurations.length === 0) return <span className="text-muted">Nothing</span>
  return (
    <>
      {configurations.slice(0, shown).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link
            href={`/configurations/${id}`}
            className="text-link underline-offset-2 [overflow-wrap:anywhere] hover:underline"
          >
            {name}
          </Link>
        </span>
      ))}
      {configurations.length > shown && ` and ${configurations.length - shown} more`}
    </>
  )
}
