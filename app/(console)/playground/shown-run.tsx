import { MessageSquarePlus, RotateCcw, SlidersHorizontal } from 'lucide-react'
import { isKeyRefused } from '@/components/trace/end-strip'
import { LiveRun } from '@/components/trace/live-run'
import { CompareLink, RunActions, SaveCheckLink } from '@/components/trace/run-actions'
import { Button } from '@/components/ui/button'
import type { RunState } from '@/lib/protocol/run/fold-run'

type Props = {
  runId: string
  /** The prompt in the form: a run of it does not show it again. */
  prompt: string | undefined
  initial: RunState
  busy: boolean
  /** Why no run with this configuration can start now; null = no reason is known. */
  obstacle: { reason: string; configurationId: string | null } | null
  onEnd: () => void
  onAgain: (state: RunState) => void
  /** The reader, who continues only own runs. */
  userId: string
  onContinue: (state: RunState) => void
  onChange: (state: RunState) => void
}

/** Shows the run under the prompt, with the Playground's actions once it has ended. */
export function ShownRun({
  runId,
  prompt,
  initial,
  busy,
  obstacle,
  onEnd,
  onAgain,
  userId,
  onContinue,
  onChange,
}: Props) {
  const isBlocked = ({ start }: RunState) =>
    obstacle !== null && obstacle.configurationId === start?.snapshot.configurationId
  return (
    <LiveRun runId={runId} title={prompt} initial={initial} onEnd={onEnd}>
      {(state) => (
        <RunActions runId={runId} open>
          {state.start?.actor.userId === userId && (
            <Button
              size="sm"
              variant={isKeyRefused(state.end) ? 'secondary' : 'primary'}
              disabled={busy}
              onClick={() => onContinue(state)}
            >
              <MessageSquarePlus className="size-4" aria-hidden />
              Continue
            </Button>
          )}
          <Button
            size="sm"
            disabled={busy || isBlocked(state)}
            title={isBlocked(state) ? obstacle?.reason : undefined}
            onClick={() => onAgain(state)}
          >
            <RotateCcw className="size-4" aria-hidden />
            Run again
          </Button>
          {state.start?.actor.userId === userId && (
            <Button size="sm" disabled={busy} onClick={() => onChange(state)}>
              <SlidersHorizontal className="size-4" aria-hidden />
              Change and run again
            </Button>
          )}
          {state.start?.changedFrom && <CompareLink runId={runId} />}
          <SaveCheckLink runId={runId} />
        </RunActions>
      )}
    </LiveRun>
  )
}
