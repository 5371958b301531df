import { StatePill } from '@/components/ui/state-pill'
import type { ApprovalContext } from '@/lib/domains/approvals/shared/approval-context'
import { countOf } from '@/lib/words/format'
import { CallLink } from './call-link'
import { outcomeWords } from './call-words'
import { VisibleText } from './visible-text'

type Props = { runId: string; context: ApprovalContext }

/** Shows what a run did before a call that waits: what it read that others can write, and its last calls. */
export function RunBefore({ runId, context }: Props) {
  return (
    <>
      <Edits context={context} />
      <UntrustedReads runId={runId} context={context} />
      <EarlierCalls runId={runId} context={context} />
    </>
  )
}

/** Says what people wrote in place of answers and results. */
function Edits({ context: { edits, fixed } }: Pick<Props, 'context'>) {
  if (edits.length + fixed.length === 0) return null
  return (
    <ul className="text-sm text-warning">
      {edits.map(({ round, what, toolName, by }) => (
        <li key={`${round} ${what} ${toolName} ${by}`}>
          <VisibleText
            text={`The ${what}${toolName === null ? '' : ` of ${toolName}`} in round ${round} ${what === 'arguments' ? 'were' : 'was'} edited by ${by}.`}
          />
        </li>
      ))}
      {fixed.length > 0 && (
        <li>
          <VisibleText
            text={`Not called, with results that a person wrote: ${fixed.join(', ')}.`}
          />
        </li>
      )}
    </ul>
  )
}

function UntrustedReads({ runId, context: { notesInPrompt, untrusted } }: Props) {
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="font-medium text-muted">Read from untrusted sources</p>
      {untrusted.length + notesInPrompt === 0 && <p>Nothing so far.</p>}
      {notesInPrompt > 0 && <p>{countOf(notesInPrompt, 'note')} of earlier runs, in the prompt.</p>}
      {untrusted.length > 0 && (
        <>
          <ul className="flex flex-wrap gap-x-3 gap-y-1">
            {untrusted.map(({ server, turn, ...call }) => (
              <li key={call.toolName}>
                <CallLink runId={turn} call={call} />
                {turn !== runId && <span className="text-muted"> in a turn before</span>}
                {server !== null && (
                  <span className="text-muted">
                    {' '}
                    of server <VisibleText text={server} />
                  </span>
                )}
              </li>
            ))}
          </ul>
          <p className="text-muted">Others can write to these.</p>
        </>
      )}
    </div>
  )
}

function EarlierCalls({ runId, context: { calls, callCount } }: Props) {
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="font-medium text-muted">Calls before this one</p>
      {calls.length === 0 && <p>None.</p>}
      {callCount > calls.length && (
        <p className="text-muted">
          The last {calls.length} of {callCount}:
        </p>
      )}
      <ol className="grid grid-cols-[fit-content(70%)_minmax(0,1fr)] items-center gap-x-3 gap-y-1">
        {calls.map(({ outcome, ...call }) => {
          const { pill, word } = outcomeWords(outcome)
          return (
            <li key={call.callId} className="contents">
              <CallLink runId={runId} call={call} />
              <span>
                <StatePill state={pill}>{word}</StatePill>
              </span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
