'use client'
import { Pencil, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useId, useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { Switch } from '@/components/ui/switch'
import { modelReason } from '@/lib/domains/models/shape'
import { visibleText } from '@/lib/protocol/clean-text'
import { countOf, onOrOff } from '@/lib/protocol/format'
import { changeModel, removeModel } from '../actions'

type Props = {
  modelId: string
  name: string
  enabled: boolean
  /** The number of configurations that use the model. */
  users: number
  /** The consequence for these configurations when the model is switched off. */
  offWords: string
}

/** Shows the buttons that switch, edit and delete a model. Changes that affect others ask for a reason. */
export function ModelActions({ modelId, name, enabled, users, offWords }: Props) {
  const [asking, setAsking] = useState<'off' | 'delete' | null>(null)
  const { busy, act } = useAct()
  const router = useRouter()
  const id = useId()
  const shown = visibleText(name)
  const isUsed = users > 0
  const turn = (on: boolean, reason = '') => changeModel({ id: modelId, enabled: on, reason })
  const flip = () => {
    if (enabled && isUsed) return setAsking('off')
    void act(() => turn(!enabled), {
      failed: `${shown} was not switched ${enabled ? 'off' : 'on'}`,
      done: `${shown} is ${enabled ? 'off' : 'on'}`,
      undo: () => turn(enabled),
      about: modelId,
    })
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="mr-2 flex items-center gap-2">
        <Switch checked={enabled} busy={busy} onCheckedChange={flip} aria-label="Model is on" />
        <span className="text-normal" aria-hidden>
          {onOrOff(enabled)}
        </span>
      </span>
      <Button asChild>
        <Link href={`/models/${modelId}/edit`}>
          <Pencil className="size-4" aria-hidden />
          Edit
        </Link>
      </Button>
      <Button
        disabled={isUsed}
        aria-describedby={isUsed ? `${id}-used` : undefined}
        onClick={() => setAsking('delete')}
      >
        <Trash2 className="size-4" aria-hidden />
        Delete
      </Button>
      {isUsed && (
        <p id={`${id}-used`} className="w-full text-muted text-sm">
          {countOf(users, 'configuration')} {users === 1 ? 'has' : 'have'} it: it cannot be deleted.
        </p>
      )}
      {asking === 'off' && (
        <ActWithReason
          title={`Switch off ${shown}`}
          required={modelReason}
          failed="The model was not switched off"
          done={`${shown} is off`}
          send={(reason) => turn(false, reason)}
          onClose={() => setAsking(null)}
        >
          {offWords}
        </ActWithReason>
      )}
      {asking === 'delete' && (
        <ActWithReason
          title={`Delete ${shown}`}
          failed="The model was not deleted"
          done={`Deleted ${shown}`}
          send={(reason) => removeModel({ id: modelId, reason })}
          onDone={() => router.push('/models')}
          onClose={() => setAsking(null)}
        >
          Its prices are deleted too. Past runs and usage do not change.
        </ActWithReason>
      )}
    </div>
  )
}
