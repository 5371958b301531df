'use client'
import { Command } from 'cmdk'
import { Check, ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { cn } from '@/components/ui/cn'
import { controlStyles } from '@/components/ui/control-styles'
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover'
import type { RunnableTask, TaskChoice } from '@/lib/tasks/schemas'
import { readTaskForMe } from './actions'

type Props = {
  tasks: TaskChoice[]
  chosen: TaskChoice | null
  /** With its prompt and variables as they are now; null = a prompt of one's own. */
  onChoose: (task: RunnableTask | null) => void
}

/** A saved prompt to run instead of one's own. */
export function TaskPicker({ tasks, chosen, onChoose }: Props) {
  const [open, setOpen] = useState(false)
  const { busy, trouble, read } = useTask(onChoose)
  if (tasks.length === 0 && !chosen) return null
  const choose = (id: string | null) => {
    setOpen(false)
    if (id === null) onChoose(null)
    else void read(id)
  }
  return (
    <section aria-label="Task" className="flex flex-col gap-2">
      <h2 className="font-medium text-base">Task</h2>
      <Popover open={open} onOpenChange={setOpen}>
        <PopoverTrigger asChild>
          <button
            type="button"
            aria-label={`Task: ${chosen?.name ?? 'none, a prompt of your own'}`}
            aria-busy={busy}
            className={cn(
              controlStyles,
              'flex h-8 items-center justify-between gap-2 px-2.5 text-left pointer-coarse:h-10',
            )}
          >
            <span className={cn('truncate', !chosen && 'text-muted')}>
              {chosen?.name ?? 'None: a prompt of your own'}
            </span>
            <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
          </button>
        </PopoverTrigger>
        <PopoverContent align="start" aria-label="Tasks" className="p-0">
          <Choices tasks={tasks} chosen={chosen} onChoose={choose} />
        </PopoverContent>
      </Popover>
      {trouble && (
        <p role="alert" className="text-error text-sm">
          {trouble}
        </p>
      )}
    </section>
  )
}

function useTask(onRead: (task: RunnableTask) => void) {
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const read = async (task: string) => {
    setBusy(true)
    const result = await sendAction(() => readTaskForMe({ task }))
    setBusy(false)
    setTrouble(result.ok ? null : result.error.message)
    if (result.ok) onRead(result.value)
  }
  return { busy, trouble, read }
}

const itemStyles =
  'flex min-h-9 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 data-[selected=true]:bg-surface-2'

function Choices({
  tasks,
  chosen,
  onChoose,
}: Pick<Props, 'tasks' | 'chosen'> & { onChoose: (id: string | null) => void }) {
  return (
    <Command label="Tasks" loop defaultValue={chosen?.id}>
      <Command.Input
        placeholder="Search tasks"
        className="h-9 w-full border-b bg-transparent px-3 text-base text-strong outline-none pointer-coarse:text-lg"
      />
      <Command.List className="max-h-80 overflow-y-auto p-1">
        <Command.Empty className="px-2 py-3 text-muted text-sm">
          No task fits this search.
        </Command.Empty>
        {chosen && (
          <Command.Item value="none" onSelect={() => onChoose(null)} className={itemStyles}>
            None: a prompt of your own
          </Command.Item>
        )}
        {tasks.map((each) => (
          <Command.Item
            key={each.id}
            value={each.id}
            keywords={[each.name, each.identifier, each.description]}
            onSelect={() => onChoose(each.id)}
            className={itemStyles}
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate text-strong">{each.name}</span>
              <span className="block truncate text-muted text-sm">
                {each.description || each.identifier}
              </span>
            </span>
            {each.id === chosen?.id && <Check className="size-4 shrink-0 text-link" aria-hidden />}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  )
}
