'use client'
import { Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { addShipped } from '../actions'

type ShippedTask = Parameters<typeof addShipped>[0] & { name: string; description: string }

/** Shows the tasks that come with Toolgate and are not here yet, each with a button that adds it and opens its page. */
export function ShippedTasks({ tasks }: { tasks: ShippedTask[] }) {
  return (
    <ul className="flex flex-col divide-y rounded-md border bg-surface-1">
      {tasks.map((task) => (
        <li key={task.identifier} className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3">
          <div className="min-w-60 flex-1">
            <p className="font-medium text-strong">{task.name}</p>
            <p className="text-muted text-sm">{task.description}</p>
          </div>
          <AddButton task={task} />
        </li>
      ))}
    </ul>
  )
}

function AddButton({ task: { identifier, name } }: { task: ShippedTask }) {
  const { busy, act } = useAct()
  const router = useRouter()
  const add = async () => {
    const added = await act(() => addShipped({ identifier }), {
      failed: 'Not added',
      done: `Added ${name}`,
    })
    if (added) router.push(`/tasks/${added.id}`)
  }
  return (
    <Button loading={busy} aria-label={`Add ${name}`} onClick={() => void add()}>
      {!busy && <Plus className="size-4" aria-hidden />}
      Add
    </Button>
  )
}
