import type { ReactNode } from 'react'
import { findGroupDetails } from './find-group-details'

type Props = { params: Promise<{ groupId: string }>; children: ReactNode }

// The page guards itself; asking here too, above its loading boundary, lets the refusal carry status 404.
export default async function GroupLayout({ params, children }: Props) {
  await findGroupDetails((await params).groupId)
  return children
}
