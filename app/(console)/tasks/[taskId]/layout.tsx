import type { ReactNode } from 'react'
import { requireUser } from '@/lib/auth/require-user'
import { findOwnTask, findTask } from './find-task'

type Props = { params: Promise<{ taskId: string }>; children: ReactNode }

// The page checks access itself. The check here is above the loading boundary, so that the refusal has status 404.
export default async function TaskLayout({ params, children }: Props) {
  const { actor } = await requireUser()
  const { taskId } = await params
  await (actor.role === 'admin' ? findTask(taskId) : findOwnTask(taskId))
  return children
}
