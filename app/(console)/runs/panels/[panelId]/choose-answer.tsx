'use client'
import type { PanelChoice } from '@toolgate/server/runs/panels/panel-schemas'
import { Check, NotebookPen } from 'lucide-react'
import { useState } from 'react'
import { chooseAnswer } from '@/app/(console)/runs/actions'
import { useAct } from '@/components/forms/use-act'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { lazyPart } from '@/components/ui/lazy-part'
import { RelativeTime } from '@/components/ui/relative-time'
import { visibleText } from '@/lib/words/clean-text'

const NoteDialog = lazyPart(async () => (await import('./note-dialog')).NoteDialog)

type Props = {
  panelId: string
  runId: string
  name: string
  /** The last choice of a person; null = nobody chose. */
  choice: PanelChoice | null
  isChosen: boolean
}

/** Says that a member answered best, or takes that back; who it was and why stands below. */
export function ChooseAnswer({ panelId, runId, name, choice, isChosen }: Props) {
  const { busy, act } = useAct()
  const [noting, setNoting] = useState(false)
  const who = visibleText(name)
  const before = { panelId, runId: choice?.runId ?? null, note: choice?.note ?? '' }
  const choose = (next: typeof before, done: string) =>
    act(() => chooseAnswer(next), {
      failed: 'Not saved',
      done,
      about: `choice of ${panelId}`,
      undo: () => chooseAnswer(before),
    })
  const pick = () =>
    isChosen
      ? choose({ panelId, runId: null, note: '' }, `Took back the choice of ${who}`)
      : choose({ panelId, runId, note: '' }, `Chose the answer of ${who}`)
  return (
    <>
      <Button
        size="sm"
        variant={isChosen ? 'primary' : 'secondary'}
        aria-pressed={isChosen}
        loading={busy}
        onClick={() => void pick()}
      >
        {!busy && <Check className="size-4" aria-hidden />}
        {isChosen ? 'Chosen' : 'Choose this answer'}
        <span className="sr-only"> of {who}</span>
      </Button>
      {isChosen && choice && (
        <>
          <Button size="sm" variant="ghost" onClick={() => setNoting(true)} {...NoteDialog.soon}>
            <NotebookPen className="size-4" aria-hidden />
            {choice.note === '' ? 'Add note' : 'Edit note'}
          </Button>
          <div className="order-last basis-full text-sm">
            {choice.note !== '' && (
              <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
                <VisibleText text={choice.note} />
              </p>
            )}
            <p className="text-muted [overflow-wrap:anywhere]">
              Chosen by <VisibleText text={choice.by} />, <RelativeTime at={choice.at} />
            </p>
          </div>
        </>
      )}
      {noting && (
        <NoteDialog
          panelId={panelId}
          runId={runId}
          note={choice?.note ?? ''}
          onClose={() => setNoting(false)}
        />
      )}
    </>
  )
}
