import Link from 'next/link'
import type { ReactNode } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { countOf } from '@/lib/words/format'

type Named = { id: string; name: string }

/** Objects that name one tool, or whose rules may match its calls, besides its group. */
export type ToolConcerns = {
  configurations: readonly Named[]
  skills: readonly Named[]
  rules: readonly Named[]
}

/** Shows which configurations allow all tools of a server, which are in one group. */
export function AllowedBy({ configurations }: { configurations: readonly Named[] }) {
  if (configurations.length === 0) {
    return (
      <p className="text-muted text-sm">
        No configuration allows all of them. <Way href="/configurations">Allow them in one</Way>
      </p>
    )
  }
  return (
    <p className="text-muted text-sm [overflow-wrap:anywhere]">
      Allowed by <Names of={configurations} path="/configurations" />.
    </p>
  )
}

/** Shows what accepting or refusing a definition of a tool concerns, with links. */
export function ToolConcernsLine({
  name,
  calls,
  concerns: { configurations, skills, rules },
}: {
  name: string
  calls: number
  concerns: ToolConcerns
}) {
  if (configurations.length + skills.length + rules.length + calls === 0) return null
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {configurations.length > 0 && (
        <Concern label="Configurations">
          <Names of={configurations} path="/configurations" />
        </Concern>
      )}
      {skills.length > 0 && (
        <Concern label="Skills">
          <Names of={skills} path="/skills" />
        </Concern>
      )}
      {rules.length > 0 && (
        <Concern label="Rules">
          <Names of={rules} path="/approvals/rules" />
        </Concern>
      )}
      {calls > 0 && (
        <Concern label="Past calls">
          <Way href={`/tools/${name}`}>{countOf(calls, 'call')}</Way>
        </Concern>
      )}
    </dl>
  )
}

function Concern({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-muted">{label}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

/** More names say nothing that their number does not. */
const mostNames = 5

function Names({ of, path }: { of: readonly Named[]; path: `/${string}` }) {
  const more = of.length - mostNames
  return (
    <>
      {of.slice(0, mostNames).map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Way href={`${path}/${id}`}>
            <VisibleText text={name} />
          </Way>
        </span>
      ))}
      {more > 0 && (
        <>
          {' '}
          and <Way href={path}>{more} more</Way>
        </>
      )}
    </>
  )
}

function Way({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="text-link underline-offset-2 hover:underline">
      {children}
    </Link>
  )
}
