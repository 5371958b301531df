import type { ReactNode } from 'react'
import { findGroupDetails } from './find-group-details'

type Props = { params: Promise<{ groupId: string }>; children: ReactNode }

// The page checks access itself. The check here is above the loading boundary, so that the refusal has status 404.
export default async function GroupLayout({ params, children }: Props) {
  await findGroupDetails((await params).groupId)
  return children
}
