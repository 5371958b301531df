import type { Params } from '@toolgate/server/edge/lenient-query'
import type { Metadata } from 'next'
import { requireUser } from '@/lib/next/require-user'
import { AllTasks } from './all-tasks'
import { OwnTasks } from './own-tasks'

export const metadata: Metadata = { title: 'Tasks' }

/** Shows admins every task, and members those that they may run. */
export default async function TasksPage({ searchParams }: { searchParams: Promise<Params> }) {
  const ctx = await requireUser()
  const params = await searchParams
  if (ctx.actor.role === 'admin') return <AllTasks ctx={ctx} params={params} />
  return <OwnTasks ctx={ctx} params={params} />
}
