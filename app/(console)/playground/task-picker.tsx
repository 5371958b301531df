'use client'
import type { RunnableTask, TaskChoice } from '@toolgate/server/domains/tasks/schemas'
import { Command } from 'cmdk'
import { useState } from 'react'
import { SearchItem, SearchPopover } from '@/components/forms/search-popover'
import { sendAction } from '@/components/forms/use-act'
import { readTaskForMe } from './actions'

type Props = {
  tasks: TaskChoice[]
  chosen: TaskChoice | null
  /** Called with the task's current prompt and variables; null = the person writes a prompt instead. */
  onChoose: (task: RunnableTask | null) => void
}

const none = 'None: write your own prompt'

/** Picks a task to run instead of a typed prompt. */
export function TaskPicker({ tasks, chosen, onChoose }: Props) {
  const [open, setOpen] = useState(false)
  const { busy, problem, read } = useTask(onChoose)
  if (tasks.length === 0 && !chosen) return null
  const choose = (id: string | null) => {
    setOpen(false)
    if (id === null) onChoose(null)
    else void read(id)
  }
  return (
    <section aria-label="Task" className="flex flex-col gap-2">
      <h2 className="font-medium text-base">Task</h2>
      <SearchPopover
        open={open}
        onOpenChange={setOpen}
        label="Tasks"
        searchLabel="Search tasks"
        nothing="No matches"
        start={chosen?.id}
        shown={chosen?.name ?? none}
        isMuted={!chosen}
        button={{
          'aria-label': `Task: ${chosen?.name ?? 'none, your own prompt'}`,
          'aria-busy': busy,
        }}
      >
        {chosen && (
          <Command.Item
            value="none"
            onSelect={() => choose(null)}
            className="flex min-h-9 cursor-pointer items-center rounded-sm px-2 py-1 data-[selected=true]:bg-surface-2"
          >
            {none}
          </Command.Item>
        )}
        {tasks.map((each) => (
          <SearchItem
            key={each.id}
            value={each.id}
            keywords={[each.name, each.identifier, each.description]}
            onSelect={() => choose(each.id)}
            name={each.name}
            about={each.description || each.identifier}
            isChosen={each.id === chosen?.id}
          />
        ))}
      </SearchPopover>
      {problem && (
        <p role="alert" className="text-error text-sm">
          {problem}
        </p>
      )}
    </section>
  )
}

function useTask(onRead: (task: RunnableTask) => void) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const read = async (task: string) => {
    setBusy(true)
    const result = await sendAction(() => readTaskForMe({ task }))
    setBusy(false)
    setProblem(result.ok ? null : result.error.message)
    if (result.ok) onRead(result.value)
  }
  return { busy, problem, read }
}
