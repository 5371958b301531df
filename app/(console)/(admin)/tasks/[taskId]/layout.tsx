import type { ReactNode } from 'react'
import { findTask } from './find-task'

type Props = { params: Promise<{ taskId: string }>; children: ReactNode }

// The page guards itself; asking here too, above its loading boundary, lets the refusal carry status 404.
export default async function TaskLayout({ params, children }: Props) {
  await findTask((await params).taskId)
  return children
}
