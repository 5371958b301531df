import type { ReactNode } from 'react'
import { findUserDetails } from './find-user-details'

type Props = { params: Promise<{ userId: string }>; children: ReactNode }

// The page checks access itself. The check here is above the loading boundary, so that the refusal has status 404.
export default async function UserLayout({ params, children }: Props) {
  await findUserDetails((await params).userId)
  return children
}
