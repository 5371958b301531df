import { Check, CircleMinus, ShieldX } from 'lucide-react'
import { VisibleText } from '@/components/trace/visible-text'
import type { GateName } from '@/lib/protocol/outcome'
import type { GateAnswer } from '@/lib/runtime/policy/gate'

/** These have nothing to ask about before a configuration is picked. */
const aboutConfiguration: readonly GateName[] = ['configuration', 'trust-zone', 'skills']

/** What each gate says of one tool, folded away. */
export function EveryGate({
  answers,
  withConfiguration,
}: {
  answers: GateAnswer[]
  withConfiguration: boolean
}) {
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-strong">
        Every gate
      </summary>
      <ul className="mt-1 flex flex-col gap-1">
        {answers.map((answer) => (
          <Answer
            key={answer.gate}
            answer={answer}
            asked={withConfiguration || !aboutConfiguration.includes(answer.gate)}
          />
        ))}
      </ul>
    </details>
  )
}

const yes = { icon: Check, colour: 'text-ok' }
const no = { icon: ShieldX, colour: 'text-error' }
const notAsked = { icon: CircleMinus, colour: 'text-muted' }

function lookOf(reason: string | null, asked: boolean) {
  if (reason !== null) return no
  return asked ? yes : notAsked
}

function Answer({ answer: { gate, reason }, asked }: { answer: GateAnswer; asked: boolean }) {
  const { icon: Icon, colour } = lookOf(reason, asked)
  return (
    <li className="flex items-start gap-1.5">
      <Icon className={`mt-px size-4 shrink-0 ${colour}`} aria-hidden />
      <span className="[overflow-wrap:anywhere]">
        <span className={reason === null ? 'text-muted' : 'font-medium text-strong'}>{gate}</span>
        <Says reason={reason} asked={asked} />
      </span>
    </li>
  )
}

function Says({ reason, asked }: { reason: string | null; asked: boolean }) {
  if (reason !== null) {
    return (
      <>
        : <VisibleText text={reason} />
      </>
    )
  }
  if (asked) return <span className="sr-only"> says yes</span>
  return <span className="text-muted">: not asked, because no configuration is picked</span>
}
