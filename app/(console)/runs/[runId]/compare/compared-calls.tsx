import { CallLink } from '@/components/trace/call-link'
import { outcomeWords } from '@/components/trace/call-words'
import { CodeText } from '@/components/trace/code-text'
import { VisibleText } from '@/components/trace/visible-text'
import { StatePill } from '@/components/ui/state-pill'
import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'
import type { ComparedCall, RunComparison } from '@/lib/protocol/run/compare-runs'

type Props = {
  calls: RunComparison['calls']
  /** The ids of the two runs. */
  before: string
  after: string
}

/** Shows the calls of both runs, those of the same tool beside each other. */
export function ComparedCalls({ calls, before, after }: Props) {
  if (calls.length === 0) return <p>No calls.</p>
  return (
    <Table aria-label="Calls of both runs">
      <thead>
        <tr>
          <TableHead>Before</TableHead>
          <TableHead>After</TableHead>
          <TableHead>Difference</TableHead>
        </tr>
      </thead>
      <tbody>
        {calls.map((pair) => (
          <TableRow key={`${pair.before?.callId} ${pair.after?.callId}`}>
            <TableCell>
              <Call runId={before} call={pair.before} />
            </TableCell>
            <TableCell>
              <Call runId={after} call={pair.after} />
            </TableCell>
            <TableCell>{differenceWords(pair)}</TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  )
}

function Call({ runId, call }: { runId: string; call: ComparedCall | null }) {
  if (!call) return <span className="text-muted">No such call</span>
  const { pill, word } = call.outcome
    ? outcomeWords(call.outcome)
    : ({ pill: 'running', word: 'Not ended yet' } as const)
  return (
    <div className="flex min-w-40 flex-col gap-1">
      <span className="flex flex-wrap items-center gap-2">
        <CallLink runId={runId} call={{ callId: call.callId, toolName: call.name }} />
        <StatePill state={pill}>{word}</StatePill>
      </span>
      <CodeText text={call.arguments} />
      {call.edited !== '' && <VisibleText text={call.edited} />}
    </div>
  )
}

function differenceWords({ before, after, same }: RunComparison['calls'][number]): string {
  if (!before) return 'Only after'
  if (!after) return 'Only before'
  if (same) return 'The same'
  if (before.arguments === after.arguments && before.outcome === after.outcome) return 'Edited'
  if (before.outcome === after.outcome) return 'Other arguments'
  return before.arguments === after.arguments ? 'Other outcome' : 'Other arguments and outcome'
}
