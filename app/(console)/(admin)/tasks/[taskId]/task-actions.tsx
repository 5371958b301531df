'use client'
import { Copy, Play, Power, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { CloneDialog } from '@/components/forms/clone-dialog'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { StatePill } from '@/components/ui/state-pill'
import { taskReason, taskShape } from '@/lib/domains/tasks/shape'
import { pick } from '@/lib/protocol/parameters'
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
      {asking === 'clone' && (
        <CloneDialog
          noun="task"
          fields={fields}
          of={task}
          description="The copy has the same prompt, variables and skills, and its own history."
          send={(names) => copyTask({ taskId, ...names })}
          next={({ id }) => `/tasks/${id}`}
          onClose={close}
        />
      )}
      {asking === 'off' && (
        <ActWithReason
          title={`Switch off ${name}`}
          failed={`${name} was not switched off`}
          done={`Switched off ${name}`}
          required={taskReason}
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

const fields = pick(taskShape, ['name', 'identifier'])
