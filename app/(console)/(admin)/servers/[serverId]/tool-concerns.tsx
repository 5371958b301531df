import Link from 'next/link'
import type { ReactNode } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { countOf } from '@/lib/protocol/format'

type Named = { id: string; name: string }

/** What has to do with a tool: what allows it, lists it and may match its calls, and how many calls there were. */
export type ToolConcerns = {
  configurations: readonly Named[]
  skills: readonly Named[]
  rules: readonly Named[]
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
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
      <Concern label="Configurations that allow its group">
        <Names of={configurations} path="/configurations" />
      </Concern>
      <Concern label="Skills that list it">
        <Names of={skills} path="/skills" />
      </Concern>
      <Concern label="Rules about it">
        <Names of={rules} path="/approvals/rules" />
      </Concern>
      <Concern label="Past calls">
        {calls === 0 ? 'none' : <Way href={`/runs?tool=${name}`}>{countOf(calls, 'call')}</Way>}
      </Concern>
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
  if (of.length === 0) return 'none'
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
