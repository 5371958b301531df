'use client'
import { Command } from 'cmdk'
import { Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import type { TaskChoice } from '@/lib/tasks/schemas'
import { listTasksForMe } from '../playground/actions'
import { PaletteItem } from './palette-item'

/** Every task the reader may run, asked for when the palette opens; running begins with its form in the Playground. */
export function PaletteTasks({
  onGo,
  className,
}: {
  onGo: (href: string) => void
  className: string
}) {
  const tasks = useTasks()
  if (tasks.length === 0) return null
  return (
    <Command.Group heading="Run a task" className={className}>
      {tasks.map(({ id, name, identifier }) => (
        <PaletteItem
          key={id}
          icon={Play}
          hint={identifier}
          keywords={['task', 'run', identifier]}
          onSelect={() => onGo(`/playground?task=${id}`)}
        >
          Run {name}
        </PaletteItem>
      ))}
    </Command.Group>
  )
}

function useTasks(): TaskChoice[] {
  const [tasks, setTasks] = useState<TaskChoice[]>([])
  // Outside system: the server. Without its answer the palette offers what it has.
  useEffect(() => {
    let gone = false
    void sendAction(() => listTasksForMe(null)).then((result) => {
      if (!gone && result.ok) setTasks(result.value)
    })
    return () => {
      gone = true
    }
  }, [])
  return tasks
}
