import type { ApprovalNote, NoteCause } from '@toolgate/server/engines/runtime/policy/approval-note'
import { UserX } from 'lucide-react'
import Link from 'next/link'
import { groupBy } from '@/components/group-by'
import { DecisionLines } from '@/components/trace/decision-lines'
import { type GateSubject, gateWords } from '@/components/trace/gate-words'
import { VisibleText } from '@/components/trace/visible-text'
import { EmptyState } from '@/components/ui/empty-state'
import { StatePill } from '@/components/ui/state-pill'
import type { Verdict } from '@/lib/protocol/tool'

export type ExplainedTool = {
  name: string
  group: string
  verdict: Verdict
  /** Says which approvals the calls of an allowed tool wait for. */
  approval: ApprovalNote | null
}

type About = Omit<GateSubject, 'toolName' | 'part'>

/**
 * Shows for each tool whether it is allowed, or the first gate that denies it, with a link to the page that changes it.
 * Admins only.
 */
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
  return (
    <li className="flex flex-col gap-1 px-3 py-2 md:grid md:grid-cols-[14rem_8rem_minmax(0,1fr)] md:items-baseline md:gap-x-4">
      <div className="flex items-center justify-between gap-2 md:contents">
        <span className="font-mono text-mono text-strong [overflow-wrap:anywhere]">
          {tool.name}
        </span>
        <span>
          <Pill tool={tool} />
        </span>
      </div>
      <div className="flex min-w-0 flex-col gap-1 text-sm">
        <Sentence tool={tool} about={about} />
        {tool.approval && <Approval toolName={tool.name} note={tool.approval} />}
        <details>
          <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-strong">
            Decision
          </summary>
          <DecisionLines
            verdict={tool.verdict}
            withConfiguration={about.configurationId !== null}
          />
        </details>
      </div>
    </li>
  )
}

function Pill({ tool: { verdict, approval } }: { tool: ExplainedTool }) {
  if (!verdict.allowed) return <StatePill state="denied">Denied</StatePill>
  if (approval?.always) return <StatePill state="waiting">Needs approval</StatePill>
  return <StatePill state="ok">Allowed</StatePill>
}

function Sentence({ tool: { name, verdict }, about }: { tool: ExplainedTool; about: About }) {
  if (verdict.allowed) return null
  const { gate, reason, part } = verdict
  const { where } = gateWords(gate, { ...about, toolName: name, part })
  return (
    <p className="[overflow-wrap:anywhere]">
      <VisibleText text={reason} /> {where && <Way href={where.href}>{where.after}</Way>}
    </p>
  )
}

/** Shows what calls of a tool wait for, each sentence with a link to what it is about. */
function Approval({ toolName, note: { sentences } }: { toolName: string; note: ApprovalNote }) {
  return sentences.map(({ words, cause }) => {
    const { href, see } = placeOf(cause, toolName)
    return (
      <p key={words} className="[overflow-wrap:anywhere]">
        <VisibleText text={words} /> <Way href={href}>{see}</Way>
      </p>
    )
  })
}

function placeOf(cause: NoteCause, toolName: string): { href: string; see: string } {
  switch (cause.type) {
    case 'rule':
      return { href: `/approvals/rules/${cause.id}`, see: 'See the rule' }
    case 'rules':
      return { href: '/approvals/rules', see: 'See the rules' }
    case 'tool': {
      const href = `/tools/${encodeURIComponent(toolName)}#approval`
      return { href, see: 'See it under Tools' }
    }
    case 'configuration': {
      const href = `/configurations/${cause.id}#approvals`
      return { href, see: 'See it under Configurations' }
    }
    default:
      return cause satisfies never
  }
}

function Way({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="text-link underline underline-offset-2">
      {children}
    </Link>
  )
}

/** Says that the person whose tools are explained does not exist. */
export function UserNotFound() {
  return (
    <EmptyState icon={UserX} title="User not found">
      The account may have been deleted, or the address of this page is wrong. Pick a user above.
    </EmptyState>
  )
}
