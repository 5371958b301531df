import type { ApprovalNote, NoteCause } from '@toolgate/server/engines/runtime/policy/approval-note'
import { UserX } from 'lucide-react'
import Link from 'next/link'
import { groupBy } from '@/components/group-by'
import { type GateSubject, gateWords } from '@/components/trace/gate-words'
import { VisibleText } from '@/components/trace/visible-text'
import { EmptyState } from '@/components/ui/empty-state'
import { StatePill } from '@/components/ui/state-pill'
import { ToolName } from '@/components/ui/tool-name'
import { answerWords, gateAnswers, gateTitle } from '@/lib/protocol/gate-answers'
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
          <h3 className="font-medium text-base [overflow-wrap:anywhere]">{group}</h3>
          <ul className="divide-y rounded-md border bg-surface-1">
            {rowsOf(members, about).map((row) => (
              <VerdictRow key={row.names[0]} row={row} />
            ))}
          </ul>
        </section>
      ))}
      <Gates withConfiguration={about.configurationId !== null} />
    </div>
  )
}

type Line = { gate?: string; words: string; href?: string | undefined; see?: string | undefined }
type Row = { names: string[]; tool: ExplainedTool; lines: Line[] }

/** Returns a row for all tools of which the same is to say. */
function rowsOf(tools: ExplainedTool[], about: About): Row[] {
  const each = tools.map((tool) => ({ tool, lines: linesOf(tool, about) }))
  const alike = groupBy(each, ({ tool: { verdict, approval }, lines }) =>
    JSON.stringify([verdict.allowed, approval?.always, lines]),
  )
  return [...alike.values()].flatMap((rows) => {
    const [first] = rows
    return first ? [{ ...first, names: rows.map(({ tool }) => tool.name) }] : []
  })
}

/** Returns why a tool is denied, or what calls of an allowed one wait for, each with a link to what it is about. */
function linesOf({ name, verdict, approval }: ExplainedTool, about: About): Line[] {
  if (verdict.allowed) {
    const sentences = approval?.sentences ?? []
    return sentences.map(({ words, cause }) => ({ words, ...placeOf(cause, name) }))
  }
  const { gate, reason, part } = verdict
  const { where } = gateWords(gate, { ...about, toolName: name, part })
  const title = gateTitle(verdict)
  const heading = `${title.charAt(0).toUpperCase()}${title.slice(1)}`
  return [{ gate: heading, words: reason, href: where?.href, see: where?.after }]
}

function VerdictRow({ row: { names, tool, lines } }: { row: Row }) {
  return (
    <li className="flex flex-col gap-1 px-3 py-2 md:grid md:grid-cols-[14rem_8rem_minmax(0,1fr)] md:items-baseline md:gap-x-4">
      <div className="flex items-start justify-between gap-2 md:contents">
        <div className="min-w-0 font-mono text-mono text-strong [overflow-wrap:anywhere]">
          {names.map((name) => (
            <div key={name}>
              <ToolName name={name} />
            </div>
          ))}
        </div>
        <span>
          <Pill tool={tool} />
        </span>
      </div>
      <div className="min-w-0 text-sm [overflow-wrap:anywhere]">
        {lines.map(({ gate, words, href, see }) => (
          <p key={words}>
            {gate && <span className="font-medium text-strong">{`${gate}: `}</span>}
            <VisibleText text={words} />{' '}
            {href && (
              <Link href={href} className="text-link underline underline-offset-2">
                {see}
              </Link>
            )}
          </p>
        ))}
      </div>
    </li>
  )
}

/** Says once which gates are asked, in their order: the first that denies ends the decision about a tool. */
function Gates({ withConfiguration }: { withConfiguration: boolean }) {
  const answers = gateAnswers({ allowed: true }, { withConfiguration })
  const unasked = answerWords(answers, 'not-asked')
  return (
    <div className="max-w-[90ch] text-muted text-sm">
      <p>Gates in order, until one denies: {answerWords(answers, 'yes')}.</p>
      {unasked && <p>Gates not asked, because no configuration is picked: {unasked}.</p>}
    </div>
  )
}

function Pill({ tool: { verdict, approval } }: { tool: ExplainedTool }) {
  if (!verdict.allowed) return <StatePill state="denied">Denied</StatePill>
  if (approval?.always) return <StatePill state="waiting">Needs approval</StatePill>
  return <StatePill state="ok">Allowed</StatePill>
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

/** Says that the person whose tools are explained does not exist. */
export function UserNotFound() {
  return (
    <EmptyState icon={UserX} title="User not found">
      Pick a user above.
    </EmptyState>
  )
}
