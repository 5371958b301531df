import { Check, ShieldX } from 'lucide-react'
import Link from 'next/link'
import { groupBy } from '@/components/group-by'
import { type GateSubject, gateWords } from '@/components/trace/gate-words'
import { VisibleText } from '@/components/trace/visible-text'
import { StatePill } from '@/components/ui/state-pill'
import type { Verdict } from '@/lib/protocol/outcome'
import type { GateAnswer } from '@/lib/runtime/policy/explain-tool'

export type ExplainedTool = {
  name: string
  group: string
  verdict: Verdict
  /** Every gate, those after the first no as well. */
  answers: GateAnswer[]
}

type About = Omit<GateSubject, 'toolName'>

/** For each tool: allowed, or the first gate that says no, in its own words, with the way to change it. For admins. */
export function VerdictList({ tools, about }: { tools: ExplainedTool[]; about: About }) {
  return (
    <div className="flex flex-col gap-4">
      {[...groupBy(tools, (tool) => tool.group)].map(([group, members]) => (
        <section key={group} aria-label={group} className="flex flex-col gap-1">
          <h3 className="font-medium text-base">{group}</h3>
          <ul className="divide-y rounded-md border bg-surface-1">
            {members.map((tool) => (
              <Row key={tool.name} tool={tool} about={about} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Row({ tool, about }: { tool: ExplainedTool; about: About }) {
  const { name, verdict, answers } = tool
  return (
    <li className="flex flex-col gap-1 px-3 py-2 md:grid md:grid-cols-[14rem_8rem_minmax(0,1fr)] md:items-baseline md:gap-x-4">
      <div className="flex items-center justify-between gap-2 md:contents">
        <span className="font-mono text-mono text-strong [overflow-wrap:anywhere]">{name}</span>
        <span>
          <StatePill state={verdict.allowed ? 'ok' : 'denied'}>
            {verdict.allowed ? 'Allowed' : verdict.gate}
          </StatePill>
        </span>
      </div>
      <div className="flex min-w-0 flex-col gap-1 text-sm">
        {!verdict.allowed && <Sentence tool={tool} about={about} />}
        <details>
          <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-strong">
            Every gate
          </summary>
          <ul className="mt-1 flex flex-col gap-1">
            {answers.map((answer) => (
              <Answer key={answer.gate} answer={answer} />
            ))}
          </ul>
        </details>
      </div>
    </li>
  )
}

function Sentence({ tool: { name, verdict }, about }: { tool: ExplainedTool; about: About }) {
  if (verdict.allowed) return null
  const { where } = gateWords(verdict.gate, { ...about, toolName: name })
  return (
    <p className="[overflow-wrap:anywhere]">
      <VisibleText text={verdict.reason} />{' '}
      {where && (
        <Link href={where.href} className="text-link underline underline-offset-2">
          {where.see}
        </Link>
      )}
    </p>
  )
}

function Answer({ answer: { gate, reason } }: { answer: GateAnswer }) {
  const Icon = reason === null ? Check : ShieldX
  return (
    <li className="flex items-start gap-1.5">
      <Icon
        className={`mt-px size-4 shrink-0 ${reason === null ? 'text-ok' : 'text-error'}`}
        aria-hidden
      />
      <span className="[overflow-wrap:anywhere]">
        <span className={reason === null ? 'text-muted' : 'font-medium text-strong'}>{gate}</span>
        {reason === null ? <span className="sr-only"> says yes</span> : ': '}
        {reason !== null && <VisibleText text={reason} />}
      </span>
    </li>
  )
}
