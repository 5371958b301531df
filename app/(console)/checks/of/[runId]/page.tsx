import { readCheckRunOf } from '@toolgate/server/runs/checks/read-for-pages'
import { redirect } from 'next/navigation'
import { orNotFound } from '@/lib/next/or-not-found'
import { requireUser } from '@/lib/next/require-user'

/** Leads to the results to which a run of a check belongs. */
export default async function CheckRunOfPage({ params }: { params: Promise<{ runId: string }> }) {
  const ctx = await requireUser()
  const { runId } = await params
  const { checkRunId } = await orNotFound(() => readCheckRunOf(ctx, runId))
  redirect(`/checks/runs/${checkRunId}`)
}
