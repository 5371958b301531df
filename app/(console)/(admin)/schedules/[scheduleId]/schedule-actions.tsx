'use client'
import { Pencil, Play, Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import type { ScheduleListing } from '@/lib/domains/schedules/schemas'
import { visibleText } from '@/lib/protocol/clean-text'
import { removeSchedule, runSchedule } from '../actions'
import { type ScheduleChoices, ScheduleForm } from '../schedule-form'

type Props = { schedule: ScheduleListing; choices: ScheduleChoices }

/** Runs a schedule at once, edits it and deletes it. */
export function ScheduleActions({ schedule, choices }: Props) {
  const { id } = schedule
  const name = visibleText(schedule.name)
  const router = useRouter()
  const { busy, act } = useAct()
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const run = () =>
    void act(() => runSchedule({ id }), {
      failed: 'The run was not started',
      done: `Started ${name}`,
    })
  return (
    <>
      <Button variant="primary" loading={busy} onClick={run}>
        {!busy && <Play className="size-4 fill-current" aria-hidden />}
        Run now
      </Button>
      <Button onClick={() => setOpen('edit')}>
        <Pencil className="size-4" aria-hidden />
        Edit
      </Button>
      <Button onClick={() => setOpen('delete')}>
        <Trash2 className="size-4" aria-hidden />
        Delete
      </Button>
      {open === 'edit' && <ScheduleForm choices={choices} schedule={schedule} onClose={close} />}
      {open === 'delete' && (
        <ActWithReason
          title={`Delete ${name}`}
          failed="The schedule was not deleted"
          done={`Deleted ${name}`}
          send={(reason) => removeSchedule({ id, reason })}
          onDone={() => router.push('/schedules')}
          onClose={close}
        >
          It starts no more runs. Those that it started stay. To pause it, switch it off instead.
        </ActWithReason>
      )}
    </>
  )
}
