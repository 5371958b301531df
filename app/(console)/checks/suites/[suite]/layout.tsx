import type { ReactNode } from 'react'
import { findSuiteRuns } from '@/app/(console)/checks/find-checks'

type Props = { params: Promise<{ suite: string }>; children: ReactNode }

// The page checks access itself. The check here is above the loading boundary, so that the refusal has status 404.
export default async function SuiteLayout({ params, children }: Props) {
  await findSuiteRuns(decodeURIComponent((await params).suite), 1)
  return children
}
