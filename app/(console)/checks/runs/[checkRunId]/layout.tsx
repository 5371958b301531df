import type { ReactNode } from 'react'
import { findCheckRun } from '@/app/(console)/checks/find-checks'

type Props = { params: Promise<{ checkRunId: string }>; children: ReactNode }

// The page checks access itself. The check here is above the loading boundary, so that the refusal has status 404.
export default async function CheckRunLayout({ params, children }: Props) {
  await findCheckRun((await params).checkRunId)
  return children
}
