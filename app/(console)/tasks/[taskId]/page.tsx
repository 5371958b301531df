import type { Params } from '@toolgate/server/edge/lenient-query'
import type { Metadata } from 'next'
import { requireUser } from '@/lib/next/require-user'
import { pageTitle } from '@/lib/words/page-title'
import { findOwnTask, findTask, findTaskOf } from './find-task'
import { OwnTaskView } from './own-task-view'
import { WholeTask } from './whole-task'

type Props = { params: Promise<{ taskId: string }>; searchParams: Promise<Params> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await findTaskOf((await params).taskId)
  return pageTitle(name, 'Tasks')
}

/** Shows a task: to admins its form and history, to members who may run it what it does. */
export default async function TaskPage({ params, searchParams }: Props) {
  const ctx = await requireUser()
  const { taskId } = await params
  if (ctx.actor.role !== 'admin') {
    return <OwnTaskView ctx={ctx} task={await findOwnTask(taskId)} />
  }
  return <WholeTask ctx={ctx} task={await findTask(taskId)} params={await searchParams} />
}
