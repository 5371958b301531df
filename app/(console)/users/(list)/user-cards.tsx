import Link from 'next/link'
import { roleWords, stateWords } from '@/components/people/user-words'
import { VisibleText } from '@/components/trace/visible-text'
import { StatePill } from '@/components/ui/state-pill'
import type { UserListing } from '@/lib/users/schemas'

/** The table of narrow screens: who it is, and whether they may come in. */
export function UserCards({ rows, ownId }: { rows: UserListing[]; ownId: string }) {
  return (
    <ul className="flex flex-col gap-2 md:hidden">
      {rows.map((row) => (
        <li key={row.id}>
          <Entry row={row} own={row.id === ownId} />
        </li>
      ))}
    </ul>
  )
}

function Entry({ row, own }: { row: UserListing; own: boolean }) {
  const { pill, word } = stateWords[row.state]
  return (
    <article className="relative flex flex-col gap-1 rounded-md border bg-surface-1 p-3">
      <div className="flex items-start justify-between gap-2">
        <Link
          href={`/users/${row.id}`}
          className="min-w-0 font-medium text-strong [overflow-wrap:anywhere] after:absolute after:inset-0"
        >
          <VisibleText text={row.name} />
          {own && ' (you)'}
        </Link>
        <StatePill state={pill}>{word}</StatePill>
      </div>
      <p className="text-muted text-sm [overflow-wrap:anywhere]">{row.email}</p>
      <p className="text-sm [overflow-wrap:anywhere]">
        {roleWords[row.role]}
        {row.groups.length > 0 && (
          <>
            {' · '}
            <VisibleText text={row.groups.join(', ')} />
          </>
        )}
      </p>
    </article>
  )
}
