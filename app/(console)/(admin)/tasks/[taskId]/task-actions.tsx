'use client'
import { Copy, Play, Power, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { FormDialog } from '@/components/forms/form'
import { FormFields } from '@/components/forms/form-field'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import { StatePill } from '@/components/ui/state-pill'
import { taskShape } from '@/lib/domains/tasks/shape'
import { copyTask, removeTask, switchTask } from '../actions'

type Props = { task: { id: string; name: string; identifier: string; enabled: boolean } }

/** Runs, copies, switches and deletes a task. Actions that affect others open a dialog first. */
export function TaskActions({ task }: Props) {
  const { id: taskId, name, enabled } = task
  const router = useRouter()
  const { busy, act } = useAct()
  const [asking, setAsking] = useState<'clone' | 'off' | 'delete' | null>(null)
  const close = () => setAsking(null)
  const switchOn = () =>
    void act(() => switchTask({ taskId, enabled: true }), {
      failed: `${name} was not switched on`,
      done: `Switched on ${name}`,
    })
  return (
    <>
      {!enabled && <StatePill state="off">Off</StatePill>}
      {enabled && (
        <Button asChild variant="primary">
          <Link href={`/playground?task=${taskId}`}>
            <Play className="size-4 fill-current" aria-hidden />
            Run
          </Link>
        </Button>
      )}
      <Button onClick={() => setAsking('clone')}>
        <Copy className="size-4" aria-hidden />
        Clone
      </Button>
      <Button loading={busy} onClick={enabled ? () => setAsking('off') : switchOn}>
        {!busy && <Power className="size-4" aria-hidden />}
        Switch {enabled ? 'off' : 'on'}
      </Button>
      <Button onClick={() => setAsking('delete')}>
        <Trash2 className="size-4" aria-hidden />
        Delete
      </Button>
      {asking === 'clone' && <CloneDialog task={task} onClose={close} />}
      {asking === 'off' && (
        <ActWithReason
          title={`Switch off ${name}`}
          failed={`${name} was not switched off`}
          done={`Switched off ${name}`}
          required="Give a reason: other people run this task."
          send={(reason) => switchTask({ taskId, enabled: false, reason })}
          onClose={close}
        >
          Nobody can start it until it is switched on again. Active runs continue.
        </ActWithReason>
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title={`Delete ${name}`}
          failed={`${name} was not deleted`}
          done={`Deleted ${name}`}
          send={() => removeTask({ taskId })}
          onDone={() => router.push('/tasks')}
          onClose={close}
        >
          All its versions are deleted. Past runs keep their prompt.
        </ConfirmDialog>
      )}
    </>
  )
}

type CloneDialogProps = {
  task: { id: string; name: string; identifier: string }
  onClose: () => void
}

const fields = { name: taskShape.name, identifier: taskShape.identifier }

function CloneDialog({ task: { id, name, identifier }, onClose }: CloneDialogProps) {
  const form = useActionForm({
    values: {
      name: `Copy of ${name}`.slice(0, 100),
      identifier: `${identifier.slice(0, 55)}-copy`,
    },
    send: (names) => copyTask({ taskId: id, ...names }),
    done: `Cloned ${name}`,
    onDone: onClose,
    next: (copy) => `/tasks/${copy.id}`,
  })
  return (
    <FormDialog
      form={form}
      title={`Clone ${name}`}
      description="The copy has the same prompt, variables and skills, and its own history."
      button="Clone task"
      failed="The task was not cloned"
      onClose={onClose}
    >
      <FormFields fields={fields} />
    </FormDialog>
  )
}
