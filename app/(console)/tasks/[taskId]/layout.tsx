import type { ReactNode } from 'react'
import { findTaskOf } from './find-task'

type Props = { params: Promise<{ taskId: string }>; children: ReactNode }

// The page checks access itself. The check here is above the loading boundary, so that the refusal has status 404.
export default async function TaskLayout({ params, children }: Props) {
  await findTaskOf((await params).taskId)
  return children
}
