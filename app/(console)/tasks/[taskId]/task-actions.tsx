'use client'
import { Copy, Play } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { useDeletion } from '@/components/resource/use-deletion'
import { Button } from '@/components/ui/button'
import { lazyPart } from '@/components/ui/lazy-part'
import { MoreMenu } from '@/components/ui/more-menu'
import { type Task, tasks } from '@/lib/domains/tasks/shape'
import { pick } from '@/lib/protocol/parameters/parameters'
import { copyTask, removeTask } from '../actions'

/** Most visits clone nothing. */
const CloneDialog = lazyPart(
  async () => (await import('@/components/forms/clone-dialog')).CloneDialog,
)

type Props = { task: Pick<Task, 'id' | 'name' | 'identifier' | 'enabled'> }

/** Runs, copies and deletes a task. */
export function TaskActions({ task }: Props) {
  const { id, name } = task
  const [isCloning, setCloning] = useState(false)
  const deletion = useDeletion({
    resource: tasks,
    id,
    name,
    remove: removeTask,
    children: 'All its versions are deleted. Past runs keep their prompt.',
  })
  return (
    <>
      {task.enabled && (
        <Button asChild variant="primary">
          <Link href={`/playground?task=${id}`}>
            <Play className="size-4 fill-current" aria-hidden />
            Run
          </Link>
        </Button>
      )}
      <MoreMenu
        entries={[
          { label: 'Clone…', icon: Copy, onSelect: () => setCloning(true) },
          null,
          deletion.entry,
        ]}
      />
      {deletion.dialog}
      {isCloning && (
        <CloneDialog
          fields={names}
          of={task}
          description="Copies prompt, variables and skills."
          send={(given) => copyTask({ id, ...given })}
          next={(copy) => `/tasks/${copy.id}`}
          onClose={() => setCloning(false)}
        />
      )}
    </>
  )
}

const names = pick(tasks.fields, ['name', 'identifier'])
