import type { ReactNode } from 'react'
import { findRun } from './find-run'

type Props = { params: Promise<{ runId: string }>; children: ReactNode }

// The page checks access itself. The check here is above the loading boundary, so that the refusal has status 404.
export default async function RunLayout({ params, children }: Props) {
  await findRun((await params).runId)
  return children
}
