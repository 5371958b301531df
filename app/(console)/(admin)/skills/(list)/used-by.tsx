import type { SkillListing } from '@toolgate/server/domains/skills/schemas'
import Link from 'next/link'

const shown = 3

/** Shows the configurations, then the tasks that a skill is attached to. */
export function UsedBy({ configurations, tasks }: Pick<SkillListing, 'configurations' | 'tasks'>) {
  const users = [
    ...configurations.map(({ id, name }) => ({ href: `/configurations/${id}`, name })),
    ...tasks.map(({ id, name }) => ({ href: `/tasks/${id}`, name: `task ${name}` })),
  ]
  if (users.length === 0) return <span className="text-muted">Nothing</span>
  return (
    <>
      {users.slice(0, shown).map(({ href, name }, index) => (
        <span key={href}>
          {index > 0 && ', '}
          <Link
            href={href}
            className="text-link underline-offset-2 [overflow-wrap:anywhere] hover:underline"
          >
            {name}
          </Link>
        </span>
      ))}
      {users.length > shown && ` and ${users.length - shown} more`}
    </>
  )
}
